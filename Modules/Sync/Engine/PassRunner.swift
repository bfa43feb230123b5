import Models
import Networking
import Storage
import SystemSupport

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
  let reader: PageReader<Feed>
  /// True if anything was stored before this run.
  let hasRecords: Bool
  /// The start of the list, if the server was asked for it because of a new sign-in.
  let freshStart: Feed.Cursor?
  /// The reason why every record is read again, whatever its version; `nil` if there is none.
  ///
  /// An interrupted run may have begun to.
  var rereading: SyncReport.Rereading?
  /// True if records that could not be read are read again though nothing about them has changed.
  var retriesUnreadable = true
  /// The versions listed on the previous page; dry runs only.
  var listedBefore: Set<RecordVersion> = []
  /// The records fetched from all pages of a list of changes; dry runs only.
  var fetchedBefore: Set<String> = []

  var changes: ChangeModel { feed.traits.changes }

  var readerVersion: String { Version.text + " " + feed.traits.reader }

  mutating func run(after earlier: RunCheckpoint?, report: inout SyncReport) async throws {
    defer { reader.abandon() }
    rereading = earlier?.rereading(for: feed.traits) ?? earlier?.rereading
    report.rereading = options.since == nil ? rereading : nil
    if let retry = earlier?.retry {
      retriesUnreadable = retry.isDue(at: budget.now, for: readerVersion)
    }
    let begin = try await begin(after: earlier)
    report.dayZone = feed.dayZone(at: begin.checkpoint.cursor)
    if report.dayZone == .unknown { writer.log.usesDaysInUTC() }
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

  private func begin(
    after earlier: RunCheckpoint?
  ) async throws -> (checkpoint: RunCheckpoint, isNew: Bool) {
    if let since = options.since {
      let cursor = try await cursor(
        .since(since, known: freshStart ?? earlier?.cursor))
      return (Checkpoint(cursor: cursor, pass: .changes), false)
    }
    // A cursor means nothing in another list. A verifying dry run skips the pass through the
    // changes, because it could not keep their result.
    guard let earlier, earlier.belongs(toListAt: writer.organisation.address),
      earlier.rereading(for: feed.traits) == nil,
      !options.isFull,
      !(options.isDryRun && options.verifies)
    else {
      return (try await everything(known: earlier?.cursor, at: freshStart), true)
    }
    if earlier.pass == .changes {
      guard changes == .watermark else {
        var start = try await everything(known: earlier.cursor, at: freshStart)
        if !retriesUnreadable { start.retry = earlier.retry }
        return (start, true)
      }
      do {
        let retry = retriesUnreadable ? earlier.retry : nil
        let cursor = try await cursor(.changes(after: retry?.cursor ?? earlier.cursor))
        var start = earlier.continued(at: cursor)
        if retriesUnreadable { start.retry = nil }
        return (start, false)
      } catch is CursorExpired {
        // The server no longer lists changes, or not to these credentials.
        let start = try await everything(known: earlier.cursor, at: freshStart, isInterrupted: true)
        return (start, true)
      }
    }
    // A dry run cannot resume another run's sweep: it has its own table of seen rows.
    guard !options.isDryRun, earlier.restart == nil else {
      return (try await everything(known: earlier.cursor, at: freshStart), true)
    }
    let cursor = try await cursor(.continuing(earlier.cursor))
    return (earlier.continued(at: cursor), false)
  }

  func cursor(_ start: FeedStart<Feed.Cursor>) async throws -> Feed.Cursor {
    try await budget.obeying(onWait: notifyOfWait) {
      try await reader.begin(start, within: budget.remaining)
    }
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
    var checkpoint = Checkpoint(
      cursor: options.isDryRun ? feed.exhaustive(cursor) : cursor,
      pass: hasRecords || isInterrupted ? .sweep : .first, restart: .unread)
    checkpoint.rereading = rereading
    return checkpoint
  }

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
      part: "the list",
      reason: forgotten == Self.attempts
        ? "the provider forgot \(forgotten) times how far it was read"
        : "it ends before the number of records that the provider reports")
  }

  /// Returns the organisation whose records are read at a cursor, in the most exact form that the
  /// sign-in was proved for.
  func source(of cursor: Feed.Cursor) -> String {
    let source = feed.source(of: cursor)
    return writer.organisation.source.specifies(source) ? writer.organisation.source : source
  }
}

// The waits that a server asks for, and the limits of the run.
extension PassRunner {
  /// Returns whether the next run would begin after the start of this one.
  ///
  /// The run continues to the end of an instant that fills several pages, and of changes in an
  /// order of their own: the next run could not resume inside them.
  func nextRunGoesOn(
    from checkpoint: RunCheckpoint, after start: RunCheckpoint
  ) async throws -> Bool {
    guard checkpoint.cursor != start.cursor else { return false }
    guard checkpoint.pass == .changes, changes == .watermark else { return true }
    let next = try await cursor(.changes(after: checkpoint.cursor))
    return !next.startsAtSameRecord(as: start.cursor)
  }

  /// Sends a request, and repeats it after each wait that the server asks for.
  ///
  /// - Returns: `nil` if the wait is longer than the run allows, or the run's time is up.
  func obeying<Value>(
    _ report: inout SyncReport,
    _ ask: (PageReader<Feed>, RunBudget) async throws -> Value
  ) async throws -> Value? {
    var waits = 0
    while true {
      do {
        return try await ask(reader, budget)
      } catch let error as SyncError where error.postponement != nil {
        reader.abandon()
        do {
          try await budget.wait(after: error, &waits, onWait: notifyOfWait)
        } catch let error as SyncError {
          guard let asked = error.postponement else { throw error }
          report.end(asked.ending, retryAt: asked.retryAt)
          return nil
        }
      } catch is CancellationError where !Task.isCancelled && budget.remaining == .zero {
        report.end(.duration, retryAt: budget.now)
        return nil
      }
    }
  }

  func notifyOfWait(_ wait: Duration) {
    writer.progress(
      .waiting(SyncProgress.Wait(reason: .rateLimit, duration: wait, from: budget.now)))
  }
}

// A run that cannot resume where an earlier one stopped.
extension PassRunner {
  /// Lets the next run begin the list again if this one could not get beyond the page at which it
  /// resumed, because the server always fails there.
  ///
  /// Otherwise each run would resume there, and no change on earlier pages would ever be read.
  func restartIfStuck(
    at begin: (checkpoint: RunCheckpoint, isNew: Bool), _ error: any Error, _ report: SyncReport
  ) async {
    guard !begin.isNew, begin.checkpoint.pass != .changes, report.pages == 0, !options.isDryRun,
      Self.isOfPage(error)
    else { return }
    let cursor = begin.checkpoint.cursor
    // If this fails too, the next run resumes as this one did.
    do {
      try await writer.beginSweep(
        at: try await everything(known: cursor, isInterrupted: true), source: source(of: cursor))
    } catch {
      writer.log.cannotRestart(error)
    }
  }

  /// Returns true if an error may come from the page alone, so that the server has no outage.
  private static func isOfPage(_ error: any Error) -> Bool {
    switch error {
    case SyncError.unreadable: true
    case SyncError.accessDenied(let status, _): status == 404
    case SyncError.unknownAddress: true
    case SyncError.serverFailed(let status, _): (400...500).contains(status)
    default: false
    }
  }
}
