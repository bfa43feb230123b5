import Models
import Networking
import Storage

/// What a run reads, pass by pass: what has changed, or everything; and everything once more where a
/// count or a person asks for it.
struct RunPasses<Feed: ResourceFeed> {
  typealias Cursor = RunCursor<Feed.Place>
  typealias Page = ReadPage<Feed.Place>

  /// How a pass through the list ended.
  private enum PassEnd {
    /// At the list's end; a later run begins there.
    case complete(Cursor)
    /// Before it; the report says why.
    case stopped
    /// Something was missed, or the server has forgotten the place: it goes on there, as a new sweep or
    /// not.
    case again(Cursor, isNew: Bool)
  }

  let feed: Feed
  let writer: RunWriter<Feed>
  let options: SyncOptions
  let budget: RunBudget
  var reader: PageReader<Feed>
  /// Whether anything was stored before this run.
  let hasRecords: Bool
  /// What the page before has listed; of a trial alone.
  var listedBefore: Set<RecordVersion> = []

  mutating func run(after earlier: Cursor?, report: inout SyncReport) async throws {
    defer { reader.abandon() }
    let begin = try await begin(after: earlier)
    guard let end = try await read(from: begin.cursor, isNew: begin.isNew, report: &report),
      options.verifies
    else { return }
    // What has just been read from its start was a comparison already.
    guard !(begin.isNew && begin.cursor.pass == .sweep) else {
      report.verification = report.counts
      return
    }
    let before = report.counts
    report.forgetFailures()
    report.forgetEnding()
    _ = try await read(
      from: try await everything(known: end.place), isNew: true, report: &report)
    report.verification = report.counts - before
  }

  /// Where the run begins, and whether that is a new sweep.
  private func begin(after earlier: Cursor?) async throws -> (cursor: Cursor, isNew: Bool) {
    if let since = options.since {
      let place = try await reader.begin(
        .since(since, known: earlier?.place), within: budget.remaining)
      return (Cursor(place: place, pass: .changes), false)
    }
    // A trial that compares does so with what is stored: what has changed is rolled back.
    guard let earlier, !options.isFull, !(options.isTrial && options.verifies) else {
      return (try await everything(known: earlier?.place), true)
    }
    if earlier.pass == .changes {
      guard feed.changes == .watermark else {
        return (try await everything(known: earlier.place), true)
      }
      let place = try await reader.begin(.changes(after: earlier.place), within: budget.remaining)
      return (earlier.continued(at: place), false)
    }
    // What a trial has seen is known to its process alone: it cannot go on with another's sweep.
    guard !options.isTrial else { return (try await everything(known: earlier.place), true) }
    let place = try await reader.begin(.continuing(earlier.place), within: budget.remaining)
    return (earlier.continued(at: place), false)
  }

  /// - Parameter isInterrupted: whether a part of it was read before, and may be stored.
  private func everything(
    known: Feed.Place?, isInterrupted: Bool = false
  ) async throws -> Cursor {
    let place = try await reader.begin(.everything(known: known), within: budget.remaining)
    // What a trial has counted would be counted twice where it has to be read again.
    return Cursor(
      place: options.isTrial ? feed.withoutGuesses(place) : place,
      pass: hasRecords || isInterrupted ? .sweep : .first)
  }

  /// How often a pass may be gone on with or begun anew.
  private static var attempts: Int { 4 }

  /// Reads the list to its end, also what was missed; `nil` where it stopped before.
  private mutating func read(
    from start: Cursor, isNew: Bool, report: inout SyncReport
  ) async throws -> Cursor? {
    var (cursor, isNew) = (start, isNew)
    for attempt in 1...Self.attempts {
      do {
        switch try await pass(from: cursor, isNew: isNew, attempt, report: &report) {
        case .complete(let end): return end
        case .stopped: return nil
        case .again(let next, let isNewThen): (cursor, isNew) = (next, isNewThen)
        }
      } catch is PlaceExpired {
        // What was deleted since it was stored is told by nobody but the list.
        cursor = try await everything(known: cursor.place, isInterrupted: true)
        isNew = true
      }
      report.forgetFailures()
    }
    throw SyncError.unreadable(
      place: "the list", reason: "it ends before all is there that the server counts")
  }

  private mutating func pass(
    from start: Cursor, isNew: Bool, _ attempt: Int, report: inout SyncReport
  ) async throws -> PassEnd {
    var cursor = start
    var place = start.place
    var repeats = RepeatFilter()
    var circle = CircleDetection(start: start.place)
    if isNew, start.pass == .sweep {
      try await writer.beginSweep(at: start, source: feed.source(of: start.place))
    }
    while true {
      let read = try await obeying(&report) { reader, budget in
        try await reader.page(at: place, within: budget.remaining)
      }
      guard var page = read else { return .stopped }
      if let next = page.next { reader.prepare(next) }
      // Before the place moves on: what is only listed is not stored yet.
      guard try await fetchOutdated(page, at: place, attempt, &cursor, report: &report) else {
        return .stopped
      }
      repeats.removeRepeats(from: &page.records)
      report.add(page.failures)
      if report.failureCount > 0 {
        cursor.unreadable = cursor.unreadable ?? feed.retrying(cursor.place)
      }
      if page.failures.contains(where: { $0.id == nil }) { cursor.hidesRecords = true }
      cursor.place = page.resume
      let isEnd = page.next == nil
      let isComplete = isEnd && cursor.pass == .changes && report.failureCount == 0
      try await writer.commit(
        page, at: cursor, source: feed.source(of: place), isComplete: isComplete, report: &report)
      guard let next = page.next else {
        return try await finish(cursor, at: place, attempt, &report)
      }
      guard next != place, circle.goesOn(to: next) else {
        throw SyncError.unreadable(
          place: "the list", reason: "its pages lead back to one that was read before")
      }
      place = next
      if let ending = budget.ending(after: report.records) {
        var canEnd = ending != .limit
        if !canEnd { canEnd = try await nextGoesOn(from: cursor, after: start) }
        guard !canEnd else {
          report.end(ending, retryAt: budget.now)
          return .stopped
        }
      }
    }
  }

  /// Whether the next run would not begin where this one did.
  ///
  /// An instant that fills pages is read to its end, and so are changes in an order of their own: the
  /// next run could not go on inside them.
  private func nextGoesOn(from cursor: Cursor, after start: Cursor) async throws -> Bool {
    guard cursor.place != start.place else { return false }
    guard cursor.pass == .changes, feed.changes == .watermark else { return true }
    return try await reader.begin(.changes(after: cursor.place), within: budget.remaining)
      != start.place
  }

  /// The list has ended: looks whether all was seen, and lets go of what is not there any more.
  private mutating func finish(
    _ cursor: Cursor, at place: Feed.Place, _ attempt: Int, _ report: inout SyncReport
  ) async throws -> PassEnd {
    var end = cursor
    end.pass = .changes
    end.place = cursor.unreadable ?? cursor.place
    end.unreadable = nil
    end.hidesRecords = nil
    if cursor.pass != .changes {
      let again = try await second(cursor, at: place, attempt, &report)
      guard report.ending == nil else { return .stopped }
      if let again { return again }
      let canDelete = cursor.pass == .sweep && cursor.hidesRecords != true
      let isRefused = try await writer.endPass(
        at: end, source: feed.source(of: place), isSweep: canDelete, report: &report)
      if let refused = isRefused {
        // What it has seen is of no use: the next run looks at everything anew.
        try await writer.beginSweep(
          at: try await everything(known: place), source: feed.source(of: place))
        throw SyncError.massDeletion(records: refused.deleted, of: refused.of)
      }
    }
    // An earlier run has met a record that it could not read, and this one has not met it yet.
    if report.failureCount == 0, let unread = cursor.unreadable { return try await again(unread) }
    if report.failureCount > 0 { report.end(.unreadable) }
    return .complete(end)
  }

  private func again(_ unread: Feed.Place) async throws -> PassEnd {
    guard feed.changes == .watermark else {
      return .again(try await everything(known: unread), isNew: true)
    }
    let place = try await reader.begin(.changes(after: unread), within: budget.remaining)
    return .again(Cursor(place: place, pass: .changes), isNew: false)
  }

  /// How the list is read once more, where it was read by guesses that may have missed something;
  /// `nil` where it was not.
  private mutating func second(
    _ cursor: Cursor, at place: Feed.Place, _ attempt: Int, _ report: inout SyncReport
  ) async throws -> PassEnd? {
    // A trial reads without guesses.
    guard !options.isTrial, try feed.countRequest(at: place) != nil else { return nil }
    let count = try await obeying(&report) { reader, budget in
      try await reader.count(at: place, within: budget.remaining)
    }
    guard let count else { return nil }
    let seen = try await writer.seen(in: cursor.pass)
    let missing = count.map { max(0, $0) - seen } ?? 0
    let unseen = cursor.pass == .sweep ? try await writer.unseen() : 0
    if count != nil, missing <= 0, unseen == 0, report.failureCount == 0 { return nil }
    if missing > 0 { writer.log.missed(missing) }
    // What is missing may only have come meanwhile, and then stands where the list ended.
    if missing > 0, attempt == 1, report.failureCount == 0 {
      return .again(cursor, isNew: false)
    }
    // What was seen was seen: nothing of it is forgotten.
    return .again(Cursor(place: feed.withoutGuesses(place), pass: cursor.pass), isNew: false)
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
