import Models
import Networking
import Storage

/// Reads the list pass by pass: the changes or everything, and then everything again if a count or
/// the user requires it.
struct PassRunner<Feed: ResourceFeed> {
  typealias RunCheckpoint = Checkpoint<Feed.Cursor>

  /// The ways in which a pass through the list ends.
  enum PassResult {
    /// The pass reached the end of the list; a later run begins at the checkpoint.
    case complete(RunCheckpoint)
    /// The pass stopped before the end; the report states the reason.
    case stopped
    /// The pass missed something, or the cursor has expired: the list is read again from a
    /// checkpoint, as a new pass if `isNew`.
    case again(RunCheckpoint, isNew: Bool)
  }

  let feed: Feed
  var writer: RunWriter<Feed>
  let options: SyncOptions
  let budget: RunBudget
  var reader: PageReader<Feed>
  /// True if anything was stored before this run.
  let hasRecords: Bool
  /// The start of the list, if the server was asked for it because of a new sign-in.
  let freshStart: Feed.Cursor?
  /// The versions listed on the previous page, or on all pages of a list of changes; dry runs only.
  var listedBefore: Set<RecordVersion> = []

  var changes: ChangeModel { feed.traits.changes }

  mutating func run(after earlier: RunCheckpoint?, report: inout SyncReport) async throws {
    defer { reader.abandon() }
    let begin = try await begin(after: earlier)
    let end: (cursor: Feed.Cursor, isWhole: Bool)?
    do {
      end = try await read(from: begin.checkpoint, isNew: begin.isNew, report: &report)
    } catch {
      await restartIfStuck(at: begin, error, report)
      throw error
    }
    guard let end else { return }
    // Records that an earlier run read may have changed or been deleted since, and only the whole
    // list shows it.
    let isBroken = !end.isWhole && begin.checkpoint.pass != .changes && changes != .watermark
    guard isBroken || options.verifies else { return }
    // A sweep from the start of the list was already a comparison.
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
  /// - Parameter isRepetition: true if the first reading is not valid because several runs shared
  ///   it. A repetition is valid only if a single run reads the whole list: if this run has no time
  ///   for it, the run is partial, and the next run restarts the pass.
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

  /// Returns the checkpoint at which the run begins, and whether a new pass begins there.
  private func begin(
    after earlier: RunCheckpoint?
  ) async throws -> (checkpoint: RunCheckpoint, isNew: Bool) {
    if let since = options.since {
      let cursor = try await cursor(
        .since(since, known: freshStart ?? earlier?.cursor))
      return (Checkpoint(cursor: cursor, pass: .changes), false)
    }
    // A verifying dry run skips the pass through the changes, because it could not keep their
    // result.
    guard let earlier, !options.isFull, !(options.isDryRun && options.verifies) else {
      return (try await everything(known: earlier?.cursor, at: freshStart), true)
    }
    if earlier.pass == .changes {
      guard changes == .watermark else {
        return (try await everything(known: earlier.cursor, at: freshStart), true)
      }
      let cursor = try await cursor(.changes(after: earlier.cursor))
      return (earlier.continued(at: cursor), false)
    }
    // A dry run cannot resume another run's sweep: it has its own table of seen rows.
    guard !options.isDryRun, earlier.restart == nil else {
      return (try await everything(known: earlier.cursor, at: freshStart), true)
    }
    let cursor = try await cursor(.continuing(earlier.cursor))
    return (earlier.continued(at: cursor), false)
  }

  /// Returns the cursor at which the list begins, once the server is ready.
  func cursor(_ start: FeedStart<Feed.Cursor>) async throws -> Feed.Cursor {
    try await budget.obeying(onWait: notifyOfWait) {
      try await reader.begin(start, within: budget.remaining)
    }
  }

  private func notifyOfWait(_ wait: Duration) {
    writer.progress(
      .waiting(SyncProgress.Wait(reason: .rateLimit, duration: wait, from: budget.now)))
  }

  /// Returns the start of a pass through the whole list.
  ///
  /// - Parameters:
  ///   - start: the start of the list, if it is known.
  ///   - isInterrupted: true if a part of the list was read before, and may be stored.
  func everything(
    known: Feed.Cursor?, at start: Feed.Cursor? = nil, isInterrupted: Bool = false
  ) async throws -> RunCheckpoint {
    let cursor =
      if let start {
        start
      } else {
        try await cursor(.everything(known: known))
      }
    // A dry run would count records twice if it had to read the list again.
    return Checkpoint(
      cursor: options.isDryRun ? feed.exhaustive(cursor) : cursor,
      pass: hasRecords || isInterrupted ? .sweep : .first, restart: .unread)
  }

  /// The largest number of passes that one reading of the list may take.
  private static var attempts: Int { 4 }

  /// Reads the list to its end, including what a pass missed; `nil` if the run stopped before.
  ///
  /// - Returns: the cursor at the end, and whether this call has read the whole list.
  private mutating func read(
    from start: RunCheckpoint, isNew: Bool, report: inout SyncReport
  ) async throws -> (cursor: Feed.Cursor, isWhole: Bool)? {
    var (checkpoint, isNew) = (start, isNew)
    var isWhole = isNew
    var forgotten = 0
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
        forgotten += 1
        // Only the whole list shows which stored records were deleted.
        reader.abandon()
        checkpoint = try await everything(known: checkpoint.cursor, isInterrupted: true)
        isNew = true
      }
      isWhole = isWhole || isNew
      report.forgetFailures()
    }
    throw SyncError.unreadable(
      place: "the list",
      reason: forgotten == Self.attempts
        ? "the provider forgot \(forgotten) times how far it was read"
        : "it ends before the number of records that the provider reports")
  }

  private mutating func pass(
    from start: RunCheckpoint, isNew: Bool, attempt: Int, report: inout SyncReport
  ) async throws -> PassResult {
    var checkpoint = start
    var cursor = start.cursor
    var repeats = RepeatFilter(remembersAll: options.isDryRun && start.pass == .changes)
    var cycle = CycleDetector(start: start.cursor)
    var waiting: [PendingPage] = []
    // Counts the part of the list that earlier runs have read, so that the display continues there.
    let isResumed = !isNew && attempt == 1 && start.pass != .changes && !options.isDryRun
    writer.position.begin(
      after: report.records,
      earlier: isResumed
        ? try await writer.store.seenCount(isSweep: start.pass == .sweep) : 0)
    if isNew, start.pass == .sweep {
      try await writer.beginSweep(at: start, source: source(of: start.cursor))
    }
    while true {
      let read = try await obeying(&report) { reader, budget in
        try await reader.page(at: cursor, within: budget.remaining)
      }
      guard var page = read else { return .stopped }
      writer.position.lists(page.total)
      if let next = page.next { reader.prepare(next) }
      // Stores the waiting pages before the records that this page only lists are fetched.
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
          place: "the list", reason: "its pages lead in a cycle")
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

  /// Returns the organisation whose records are read at a cursor, in the most exact form that the
  /// sign-in was proved for.
  func source(of cursor: Feed.Cursor) -> String {
    let source = feed.source(of: cursor)
    return writer.organisation.source.specifies(source) ? writer.organisation.source : source
  }

  /// Returns whether the next run would begin after the start of this one.
  ///
  /// The run continues to the end of an instant that fills several pages, and of changes in an
  /// order of their own: the next run could not resume inside them.
  private func nextRunGoesOn(
    from checkpoint: RunCheckpoint, after start: RunCheckpoint
  ) async throws -> Bool {
    guard checkpoint.cursor != start.cursor else { return false }
    guard checkpoint.pass == .changes, changes == .watermark else { return true }
    let next = try await cursor(.changes(after: checkpoint.cursor))
    return !feed.startsAtSameRecord(next, as: start.cursor)
  }

  /// Sends a request, and repeats it after each wait that the server asks for.
  ///
  /// - Returns: `nil` if the wait is longer than the run allows, or the run's time is up.
  mutating func obeying<Value>(
    _ report: inout SyncReport,
    _ ask: (inout PageReader<Feed>, RunBudget) async throws -> Value
  ) async throws -> Value? {
    while true {
      do {
        return try await ask(&reader, budget)
      } catch SyncError.rateLimited(let stated) {
        reader.abandon()
        // The page itself reports a limit, without a time: most limits are counted by the minute.
        let retryAt = stated ?? budget.now.adding(seconds: 60)
        let isReady = try await budget.wait(until: retryAt, onWait: notifyOfWait)
        guard isReady else {
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
