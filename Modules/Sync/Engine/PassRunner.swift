import Models
import Networking
import Storage

/// Reads the list pass by pass: what has changed, or everything; and everything once more where a
/// count or the user asks for it.
struct PassRunner<Feed: ResourceFeed> {
  typealias RunCheckpoint = Checkpoint<Feed.Cursor>

  /// The ways in which a pass through the list ends.
  enum PassResult {
    /// It reached the end of the list; a later run begins at the checkpoint.
    case complete(RunCheckpoint)
    /// It stopped before the end; the report says why.
    case stopped
    /// Something was missed, or the server has forgotten the cursor: the list is read again from a
    /// checkpoint, as a new sweep or not.
    case again(RunCheckpoint, isNew: Bool)
  }

  let feed: Feed
  let writer: RunWriter<Feed>
  let options: SyncOptions
  let budget: RunBudget
  var reader: PageReader<Feed>
  /// Whether anything was stored before this run.
  let hasRecords: Bool
  /// The start of the list, where the server was asked for it because of a new sign-in.
  let freshStart: Feed.Cursor?
  /// The versions that the page before has listed; of a dry run only.
  var listedBefore: Set<RecordVersion> = []

  var changes: ChangeModel { feed.traits.changes }

  mutating func run(after earlier: RunCheckpoint?, report: inout SyncReport) async throws {
    defer { reader.abandon() }
    let begin = try await begin(after: earlier)
    guard let end = try await read(from: begin.checkpoint, isNew: begin.isNew, report: &report)
    else { return }
    // What an earlier run has read may have changed or been deleted since, and only the list says
    // so.
    let isBroken = !end.isWhole && begin.checkpoint.pass != .changes && changes != .watermark
    guard isBroken || options.verifies else { return }
    // A sweep from the start of the list was a comparison already.
    guard !(begin.isNew && begin.checkpoint.pass == .sweep) else {
      report.verification = report.counts
      return
    }
    let before = report.counts
    try await readAgain(after: end.cursor, isRepetition: isBroken, report: &report)
    if options.verifies { report.verification = report.counts - before }
  }

  /// Reads the whole list once more.
  ///
  /// - Parameter isRepetition: whether the first reading proves nothing, since it was not in one
  ///   piece. A run that has no time for a repetition is not complete; the next run begins it anew,
  ///   since it proves something only in one piece.
  private mutating func readAgain(
    after cursor: Feed.Cursor, isRepetition: Bool, report: inout SyncReport
  ) async throws {
    if let ending = budget.ending(after: report.records) {
      guard report.ending == nil else { return }
      report.end(isRepetition ? .continued : ending, retryAt: budget.now)
      return
    }
    if isRepetition { writer.log.repeats() }
    report.forgetFailures()
    report.forgetEnding()
    var start = try await everything(known: cursor, isInterrupted: isRepetition)
    if isRepetition { start.restart = .repetition }
    _ = try await read(from: start, isNew: true, report: &report)
    guard isRepetition, report.ending == .limit || report.ending == .duration else { return }
    report.end(.continued, retryAt: report.retryAt)
  }

  /// Returns the checkpoint that the run begins at, and whether that is a new sweep.
  private func begin(
    after earlier: RunCheckpoint?
  ) async throws -> (checkpoint: RunCheckpoint, isNew: Bool) {
    if let since = options.since {
      let cursor = try await reader.begin(
        .since(since, known: freshStart ?? earlier?.cursor), within: budget.remaining)
      return (Checkpoint(cursor: cursor, pass: .changes), false)
    }
    // A dry run that compares does so with what is stored: what has changed is rolled back.
    guard let earlier, !options.isFull, !(options.isDryRun && options.verifies) else {
      return (try await everything(known: earlier?.cursor, at: freshStart), true)
    }
    if earlier.pass == .changes {
      guard changes == .watermark else {
        return (try await everything(known: earlier.cursor, at: freshStart), true)
      }
      let cursor = try await reader.begin(.changes(after: earlier.cursor), within: budget.remaining)
      return (earlier.continued(at: cursor), false)
    }
    // A dry run cannot go on with another run's sweep: the rows that it has seen are its own.
    guard !options.isDryRun, earlier.restart == nil else {
      return (try await everything(known: earlier.cursor, at: freshStart), true)
    }
    let cursor = try await reader.begin(.continuing(earlier.cursor), within: budget.remaining)
    return (earlier.continued(at: cursor), false)
  }

  /// Returns the start of a pass through the whole list.
  ///
  /// - Parameters:
  ///   - start: the start of the list, where that is known.
  ///   - isInterrupted: whether a part of it was read before, and may be stored.
  func everything(
    known: Feed.Cursor?, at start: Feed.Cursor? = nil, isInterrupted: Bool = false
  ) async throws -> RunCheckpoint {
    let cursor =
      if let start {
        start
      } else {
        try await reader.begin(.everything(known: known), within: budget.remaining)
      }
    // A dry run would count records twice if it had to read the list again.
    return Checkpoint(
      cursor: options.isDryRun ? feed.exhaustive(cursor) : cursor,
      pass: hasRecords || isInterrupted ? .sweep : .first, restart: .unread)
  }

  /// The largest number of times that a pass is continued or begun anew.
  private static var attempts: Int { 4 }

  /// Reads the list to its end, also what was missed; `nil` where it stopped before.
  ///
  /// - Returns: the cursor there, and whether all of the list was read here.
  private mutating func read(
    from start: RunCheckpoint, isNew: Bool, report: inout SyncReport
  ) async throws -> (cursor: Feed.Cursor, isWhole: Bool)? {
    var (checkpoint, isNew) = (start, isNew)
    var isWhole = isNew
    for attempt in 1...Self.attempts {
      do {
        let result = try await pass(
          from: checkpoint, isNew: isNew, attempt: attempt, report: &report)
        switch result {
        case .complete(let end): return (end.cursor, isWhole)
        case .stopped: return nil
        case .again(let next, let isNewThen): (checkpoint, isNew) = (next, isNewThen)
        }
      } catch is CursorExpired {
        // Only the whole list says which stored records are deleted.
        reader.abandon()
        checkpoint = try await everything(known: checkpoint.cursor, isInterrupted: true)
        isNew = true
      }
      isWhole = isWhole || isNew
      report.forgetFailures()
    }
    throw SyncError.unreadable(
      place: "the list", reason: "it ends before all is there that the server counts")
  }

  private mutating func pass(
    from start: RunCheckpoint, isNew: Bool, attempt: Int, report: inout SyncReport
  ) async throws -> PassResult {
    var checkpoint = start
    var cursor = start.cursor
    var repeats = RepeatFilter(remembersAll: options.isDryRun && start.pass == .changes)
    var cycle = CycleDetector(start: start.cursor)
    var waiting: [PendingPage] = []
    if isNew, start.pass == .sweep {
      try await writer.beginSweep(at: start, source: source(of: start.cursor))
    }
    while true {
      let read = try await obeying(&report) { reader, budget in
        try await reader.page(at: cursor, within: budget.remaining)
      }
      guard var page = read else { return .stopped }
      if let next = page.next { reader.prepare(next) }
      // Before the cursor moves on: what is only listed is not stored yet.
      if !page.versions.isEmpty {
        try await writer.commit(waiting, report: &report)
        waiting = []
      }
      let isFetched = try await fetchOutdated(
        of: page, at: cursor, attempt: attempt, checkpoint: &checkpoint, report: &report)
      guard isFetched else { return .stopped }
      repeats.removeRepeats(from: &page.records)
      report.add(page.failures)
      if report.failureCount > 0 {
        checkpoint.unreadable = checkpoint.unreadable ?? feed.retryCursor(from: checkpoint.cursor)
      }
      if page.failures.contains(where: { $0.id == nil }) { checkpoint.hasUnidentified = true }
      checkpoint.cursor = page.resume
      if checkpoint.restart == .unread { checkpoint.restart = nil }
      let isEnd = page.next == nil
      let isComplete = isEnd && checkpoint.pass == .changes && report.failureCount == 0
      let goesOn = page.next.map { $0 != cursor && cycle.goesOn(to: $0) }
      waiting.append(
        try writer.pending(
          page, checkpoint: checkpoint, source: source(of: cursor), isComplete: isComplete))
      if goesOn == true, let next = page.next, reader.hasArrived(next), writer.canWait(waiting) {
        cursor = next
        continue
      }
      try await writer.commit(waiting, report: &report)
      waiting = []
      guard let next = page.next else {
        return try await finish(checkpoint, at: cursor, attempt: attempt, report: &report)
      }
      guard goesOn == true else {
        throw SyncError.unreadable(
          place: "the list", reason: "its pages lead back to one that was read before")
      }
      cursor = next
      if let ending = budget.ending(after: report.records) {
        var canEnd = ending != .limit
        if !canEnd { canEnd = try await nextRunGoesOn(from: checkpoint, after: start) }
        guard !canEnd else {
          report.end(ending, retryAt: budget.now)
          return .stopped
        }
      }
    }
  }

  /// Returns the organisation whose records are read at a cursor, as exactly as the sign-in was
  /// proved for.
  func source(of cursor: Feed.Cursor) -> String {
    let source = feed.source(of: cursor)
    return writer.organisation.source.specifies(source) ? writer.organisation.source : source
  }

  /// Returns whether the next run would not begin where this one did.
  ///
  /// An instant that fills pages is read to its end, and so are changes in an order of their own:
  /// the next run could not go on inside them.
  private func nextRunGoesOn(
    from checkpoint: RunCheckpoint, after start: RunCheckpoint
  ) async throws -> Bool {
    guard checkpoint.cursor != start.cursor else { return false }
    guard checkpoint.pass == .changes, changes == .watermark else { return true }
    let next = try await reader.begin(.changes(after: checkpoint.cursor), within: budget.remaining)
    return !feed.startsAtSameRecord(next, as: start.cursor)
  }

  /// Asks the server, after as much waiting as it wants and the run has time for; `nil` where that
  /// is too much.
  mutating func obeying<Value>(
    _ report: inout SyncReport,
    _ ask: (inout PageReader<Feed>, RunBudget) async throws -> Value
  ) async throws -> Value? {
    while true {
      do {
        return try await ask(&reader, budget)
      } catch SyncError.rateLimited(let stated) {
        reader.abandon()
        // A page that says so itself, and not when: in a minute, by which most limits are counted.
        let retryAt = stated ?? budget.now.adding(seconds: 60)
        guard try await budget.wait(until: retryAt) else {
          report.end(.rateLimit, retryAt: retryAt)
          return nil
        }
      } catch is CancellationError where !Task.isCancelled && budget.remaining == .zero {
        report.end(.duration, retryAt: budget.now)
        return nil
      }
    }
  }
}
