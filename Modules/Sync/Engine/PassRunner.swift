import Models
import Networking
import Storage

/// What a run reads, pass by pass: what has changed, or everything; and everything once more where a
/// count or a person asks for it.
struct PassRunner<Feed: ResourceFeed> {
  typealias Page = ReadPage<Feed.Cursor>

  /// How a pass through the list ended.
  enum PassResult {
    /// At the list's end; a later run begins there.
    case complete(Checkpoint<Feed.Cursor>)
    /// Before it; the report says why.
    case stopped
    /// Something was missed, or the server has forgotten the cursor: it goes on there, as a new sweep or
    /// not.
    case again(Checkpoint<Feed.Cursor>, isNew: Bool)
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
  /// What the page before has listed; of a trial alone.
  var listedBefore: Set<RecordVersion> = []

  mutating func run(after earlier: Checkpoint<Feed.Cursor>?, report: inout SyncReport) async throws
  {
    defer { reader.abandon() }
    let begin = try await begin(after: earlier)
    guard let end = try await read(from: begin.checkpoint, isNew: begin.isNew, report: &report)
    else { return }
    // What an earlier run has read may have changed since, or be gone, and nothing but the list tells.
    let isBroken =
      !end.isWhole && begin.checkpoint.pass != .changes && feed.changes != .watermark
    guard isBroken || options.verifies else { return }
    // What has just been read from its start was a comparison already.
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
  /// - Parameter isRepetition: whether it is what tells what the first reading cannot, as that was not of
  ///   one piece. A run that has no time for it is not complete; the next one begins it anew, since only
  ///   in one piece it tells.
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

  /// Where the run begins, and whether that is a new sweep.
  private func begin(after earlier: Checkpoint<Feed.Cursor>?) async throws -> (
    checkpoint: Checkpoint<Feed.Cursor>, isNew: Bool
  ) {
    if let since = options.since {
      let cursor = try await reader.begin(
        .since(since, known: freshStart ?? earlier?.cursor), within: budget.remaining)
      return (Checkpoint(cursor: cursor, pass: .changes), false)
    }
    // A trial that compares does so with what is stored: what has changed is rolled back.
    guard let earlier, !options.isFull, !(options.isTrial && options.verifies) else {
      return (try await everything(known: earlier?.cursor, at: freshStart), true)
    }
    if earlier.pass == .changes {
      guard feed.changes == .watermark else {
        return (try await everything(known: earlier.cursor, at: freshStart), true)
      }
      let cursor = try await reader.begin(.changes(after: earlier.cursor), within: budget.remaining)
      return (earlier.continued(at: cursor), false)
    }
    // What a trial has seen is known to its process alone: it cannot go on with another's sweep.
    guard !options.isTrial, earlier.restart == nil else {
      return (try await everything(known: earlier.cursor, at: freshStart), true)
    }
    let cursor = try await reader.begin(.continuing(earlier.cursor), within: budget.remaining)
    return (earlier.continued(at: cursor), false)
  }

  /// - Parameters:
  ///   - start: the start of the list, where that is known.
  ///   - isInterrupted: whether a part of it was read before, and may be stored.
  func everything(
    known: Feed.Cursor?, at start: Feed.Cursor? = nil, isInterrupted: Bool = false
  ) async throws -> Checkpoint<Feed.Cursor> {
    let cursor =
      if let start {
        start
      } else {
        try await reader.begin(.everything(known: known), within: budget.remaining)
      }
    // What a trial has counted would be counted twice where it has to be read again.
    return Checkpoint(
      cursor: options.isTrial ? feed.exhaustive(cursor) : cursor,
      pass: hasRecords || isInterrupted ? .sweep : .first, restart: .unread)
  }

  /// How often a pass may be gone on with or begun anew.
  private static var attempts: Int { 4 }

  /// Reads the list to its end, also what was missed; `nil` where it stopped before.
  ///
  /// - Returns: the cursor there, and whether all of the list was read here.
  private mutating func read(
    from start: Checkpoint<Feed.Cursor>, isNew: Bool, report: inout SyncReport
  ) async throws -> (cursor: Feed.Cursor, isWhole: Bool)? {
    var (checkpoint, isNew) = (start, isNew)
    var isWhole = isNew
    for attempt in 1...Self.attempts {
      do {
        switch try await pass(from: checkpoint, isNew: isNew, attempt, report: &report) {
        case .complete(let end): return (end.cursor, isWhole)
        case .stopped: return nil
        case .again(let next, let isNewThen): (checkpoint, isNew) = (next, isNewThen)
        }
      } catch is CursorExpired {
        // What was deleted since it was stored is told by nobody but the list.
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
    from start: Checkpoint<Feed.Cursor>, isNew: Bool, _ attempt: Int, report: inout SyncReport
  ) async throws -> PassResult {
    var checkpoint = start
    var cursor = start.cursor
    var repeats = RepeatFilter(remembersAll: options.isTrial && start.pass == .changes)
    var cycle = CycleDetector(start: start.cursor)
    var waiting: [RunWriter<Feed>.WaitingPage] = []
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
      guard try await fetchOutdated(page, at: cursor, attempt, &checkpoint, report: &report) else {
        return .stopped
      }
      repeats.removeRepeats(from: &page.records)
      report.add(page.failures)
      if report.failureCount > 0 {
        checkpoint.unreadable = checkpoint.unreadable ?? feed.retrying(checkpoint.cursor)
      }
      if page.failures.contains(where: { $0.id == nil }) { checkpoint.hidesRecords = true }
      checkpoint.cursor = page.resume
      if checkpoint.restart == .unread { checkpoint.restart = nil }
      let isEnd = page.next == nil
      let isComplete = isEnd && checkpoint.pass == .changes && report.failureCount == 0
      let goesOn = page.next.map { $0 != cursor && cycle.goesOn(to: $0) }
      waiting.append(
        RunWriter.WaitingPage(
          page: page, checkpoint: checkpoint, source: source(of: cursor), isComplete: isComplete))
      if goesOn == true, let next = page.next, reader.isThere(next), writer.canWait(waiting) {
        cursor = next
        continue
      }
      try await writer.commit(waiting, report: &report)
      waiting = []
      guard let next = page.next else {
        return try await finish(checkpoint, at: cursor, attempt, &report)
      }
      guard goesOn == true else {
        throw SyncError.unreadable(
          place: "the list", reason: "its pages lead back to one that was read before")
      }
      cursor = next
      if let ending = budget.ending(after: report.records) {
        var canEnd = ending != .limit
        if !canEnd { canEnd = try await nextGoesOn(from: checkpoint, after: start) }
        guard !canEnd else {
          report.end(ending, retryAt: budget.now)
          return .stopped
        }
      }
    }
  }

  /// Whose records are read at a cursor, as exactly as the sign-in was proved for.
  func source(of cursor: Feed.Cursor) -> String {
    let source = feed.source(of: cursor)
    return writer.organisation.source.specifies(source) ? writer.organisation.source : source
  }

  /// Whether the next run would not begin where this one did.
  ///
  /// An instant that fills pages is read to its end, and so are changes in an order of their own: the
  /// next run could not go on inside them.
  private func nextGoesOn(
    from checkpoint: Checkpoint<Feed.Cursor>, after start: Checkpoint<Feed.Cursor>
  ) async throws -> Bool {
    guard checkpoint.cursor != start.cursor else { return false }
    guard checkpoint.pass == .changes, feed.changes == .watermark else { return true }
    let next = try await reader.begin(.changes(after: checkpoint.cursor), within: budget.remaining)
    return !feed.begins(at: next, like: start.cursor)
  }

  /// Asks the server, after as much waiting as it wants and the run has time for; `nil` where that is
  /// too much.
  mutating func obeying<Value>(
    _ report: inout SyncReport,
    _ ask: (inout PageReader<Feed>, RunBudget) async throws -> Value
  ) async throws -> Value? {
    while true {
      do {
        return try await ask(&reader, budget)
      } catch SyncError.rateLimited(let told) {
        reader.abandon()
        // A page that says so itself, and not when: in a minute, by which most limits are counted.
        let retryAt = told ?? budget.now.adding(seconds: 60)
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
