import Models
import Networking
import Storage

/// What a run reads, pass by pass: what has changed, or everything; and everything once more where a
/// count or a person asks for it.
struct RunPasses<Feed: ResourceFeed> {
  typealias Cursor = RunCursor<Feed.Place>
  typealias Page = FeedPage<Feed.Record, Feed.Place>

  /// How a pass through the list ended.
  private enum PassEnd {
    /// At the list's end; a later run begins there.
    case complete(Cursor)
    /// Before it; the report says why.
    case stopped
    /// Something was missed, or the server has forgotten the place: it has to be begun anew.
    case again(Cursor)
  }

  let feed: Feed
  let session: Session
  let writer: RunWriter<Feed>
  let options: SyncOptions
  let budget: RunBudget
  var reader: PageReader<Feed>
  /// Whether anything was stored before this run.
  let hasRecords: Bool

  mutating func run(after earlier: Cursor?, report: inout SyncReport) async throws {
    defer { reader.abandon() }
    let begin = try await begin(after: earlier)
    guard let end = try await read(from: begin.cursor, isNew: begin.isNew, report: &report),
      options.verifies, begin.cursor.pass == .changes
    else { return }
    let before = report.counts
    _ = try await read(
      from: try await everything(known: end.place), isNew: true, report: &report)
    report.verification = report.counts - before
  }

  /// Where the run begins, and whether that is a new sweep.
  private func begin(after earlier: Cursor?) async throws -> (cursor: Cursor, isNew: Bool) {
    if let since = options.since {
      let place = try await feed.begin(.since(since, known: earlier?.place), over: session)
      return (Cursor(place: place, pass: .changes), false)
    }
    guard let earlier, !options.isFull else {
      return (try await everything(known: earlier?.place), true)
    }
    if earlier.pass == .changes {
      guard feed.changes == .watermark else {
        return (try await everything(known: earlier.place), true)
      }
      let place = try await feed.begin(.changes(after: earlier.place), over: session)
      return (Cursor(place: place, pass: .changes), false)
    }
    // What a trial has seen is known to its process alone: it cannot go on with another's sweep.
    guard !options.isTrial else { return (try await everything(known: earlier.place), true) }
    let place = try await feed.begin(.continuing(earlier.place), over: session)
    return (Cursor(place: place, pass: earlier.pass), false)
  }

  private func everything(known: Feed.Place?) async throws -> Cursor {
    Cursor(
      place: try await feed.begin(.everything(known: known), over: session),
      pass: hasRecords ? .sweep : .first)
  }

  /// Reads the list to its end, anew where that is needed; `nil` where it stopped before.
  private mutating func read(
    from start: Cursor, isNew: Bool, report: inout SyncReport
  ) async throws -> Cursor? {
    var end = try await pass(from: start, isNew: isNew, report: &report)
    if case .again(let anew) = end {
      end = try await pass(from: anew, isNew: true, report: &report)
    }
    switch end {
    case .complete(let cursor): return cursor
    case .stopped: return nil
    case .again: throw SyncError.serverFailed(status: 410)
    }
  }

  private mutating func pass(
    from start: Cursor, isNew: Bool, report: inout SyncReport
  ) async throws -> PassEnd {
    var cursor = start
    var place = start.place
    var repeats = RepeatFilter<Feed.Record>()
    if isNew, start.pass == .sweep { try await writer.beginSweep(at: start) }
    while true {
      var page: Page
      do {
        guard let read = try await fetch(at: place, report: &report) else { return .stopped }
        page = read
      } catch is PlaceExpired {
        return .again(try await everything(known: place))
      }
      if let next = page.next { reader.prepare(next) }
      page.records = repeats.removingRepeats(from: page.records)
      report.failures += page.failures
      // Once a record could not be read, later runs have to meet it again: the place stays before it.
      if report.failures.isEmpty { cursor.place = page.resume }
      let isEnd = page.next == nil
      let isComplete = isEnd && cursor.pass == .changes && report.failures.isEmpty
      try await writer.commit(
        page, at: cursor, source: feed.source(of: place), isComplete: isComplete, report: &report)
      try await fetchOutdated(page, at: place, cursor, report: &report)
      guard let next = page.next else { return try await finish(cursor, at: place, &report) }
      place = next
      if let ending = budget.ending(after: report.records) {
        report.end(ending, retryAt: budget.now)
        return .stopped
      }
    }
  }

  /// Of a list of versions: brings the records whose version is not the one that is stored.
  private func fetchOutdated(
    _ page: Page, at place: Feed.Place, _ cursor: Cursor, report: inout SyncReport
  ) async throws {
    guard !page.versions.isEmpty else { return }
    var ids = try await writer.outdated(among: page.versions)[...]
    while !ids.isEmpty {
      let batch = Array(ids.prefix(feed.batch))
      ids = ids.dropFirst(feed.batch)
      let records = try await reader.records(batch, at: place)
      report.failures += records.failures
      try await writer.commit(
        records, at: cursor, source: feed.source(of: place), isComplete: false, report: &report)
    }
  }

  /// The list has ended: looks whether all was seen, and lets go of what is not there any more.
  private func finish(
    _ cursor: Cursor, at place: Feed.Place, _ report: inout SyncReport
  ) async throws -> PassEnd {
    if !report.failures.isEmpty { report.end(.unreadable) }
    var end = cursor
    end.pass = .changes
    guard cursor.pass != .changes else { return .complete(end) }
    if let count = try await reader.count(at: place) {
      // What cannot be read may be what is missing: the next run looks again.
      guard report.failures.isEmpty else { return .stopped }
      let seen = try await writer.seen(in: cursor.pass)
      guard seen >= count else {
        writer.log.missed(count - seen)
        var anew = try await everything(known: place)
        anew.place = feed.withoutGuesses(anew.place)
        return .again(anew)
      }
    }
    let canDelete = cursor.pass == .sweep && report.failures.allSatisfy { $0.id != nil }
    try await writer.endPass(
      at: end, source: feed.source(of: place), isSweep: canDelete, report: &report)
    return .complete(end)
  }

  /// The page at a place, after as much waiting as the server asks for and the run has time for;
  /// `nil` where that is too much.
  private mutating func fetch(
    at place: Feed.Place, report: inout SyncReport
  ) async throws -> Page? {
    while true {
      do {
        return try await reader.page(at: place, within: budget.remaining)
      } catch SyncError.rateLimited(let retryAt) {
        reader.abandon()
        guard let retryAt, try await budget.wait(until: retryAt) else {
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
