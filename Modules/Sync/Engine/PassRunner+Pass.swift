import Models
import Networking
import Storage

// One pass through the list, page by page.
extension PassRunner {
  /// The state of a pass.
  private struct PassState {
    let start: RunCheckpoint
    let attempt: Int
    /// The checkpoint after the last page that was read.
    var checkpoint: RunCheckpoint
    var cursor: Feed.Cursor
    var repeats: RepeatFilter
    var cycle: CycleDetector<Feed.Cursor>
    /// The pages that wait to be stored in one transaction.
    var waiting: [PendingPage] = []
  }

  /// Reads the list from a checkpoint to its end, unless a limit of the run stops it before.
  mutating func pass(
    from start: RunCheckpoint, isNew: Bool, attempt: Int, report: inout SyncReport
  ) async throws -> PassResult {
    var pass = PassState(
      start: start, attempt: attempt, checkpoint: start, cursor: start.cursor,
      repeats: RepeatFilter(remembersAll: options.isDryRun && start.pass == .changes),
      cycle: CycleDetector(start: start.cursor))
    try await begin(pass, isNew: isNew, after: report.records)
    while true {
      guard var page = try await nextPage(of: &pass, report: &report) else { return .stopped }
      let goesOn = try add(&page, to: &pass, report: &report)
      if goesOn, let next = page.next, reader.hasArrived(next), writer.canWait(pass.waiting) {
        pass.cursor = next
        continue
      }
      try await writer.commit(pass.waiting, report: &report)
      pass.waiting = []
      guard let next = page.next else {
        return try await finish(
          pass.checkpoint, at: pass.cursor, attempt: attempt, report: &report)
      }
      guard goesOn else {
        throw SyncError.unreadable(
          part: "the list", reason: "a page leads back to one that was read before")
      }
      pass.cursor = next
      guard let ending = try await ending(of: pass, after: report.records) else { continue }
      report.end(ending, retryAt: budget.now)
      return .stopped
    }
  }

  private mutating func begin(_ pass: PassState, isNew: Bool, after records: Int) async throws {
    let isSweep = pass.start.pass == .sweep
    // Counts the part of the list that earlier runs have read, so that the display continues there.
    let isResumed =
      !isNew && pass.attempt == 1 && pass.start.pass != .changes && !options.isDryRun
    writer.position.begin(
      after: records,
      earlier: isResumed ? try await writer.store.seenCount(isSweep: isSweep) : 0)
    guard isNew, isSweep else { return }
    try await writer.beginSweep(at: pass.start, source: source(of: pass.start.cursor))
  }

  /// Reads the page at the cursor of a pass, and stores the records that it only lists.
  ///
  /// - Returns: `nil` if a limit of the server or of the run stopped it.
  private mutating func nextPage(
    of pass: inout PassState, report: inout SyncReport
  ) async throws -> EncodedPage<Feed.Cursor>? {
    let cursor = pass.cursor
    let read = try await obeying(&report) { reader, budget in
      try await reader.page(at: cursor, within: budget.remaining)
    }
    guard let page = read else { return nil }
    writer.position.lists(page.total, isOfRest: page.isTotalOfRest)
    // A run that ends with this page needs no page after it.
    let records = report.records + page.records.entries.count
    if let next = page.next, budget.ending(after: records) == nil { reader.prepare(next) }
    // Stores the waiting pages before the records that this page only lists are fetched.
    if !page.versions.isEmpty {
      try await writer.commit(pass.waiting, report: &report)
      pass.waiting = []
    }
    let isFetched = try await fetchOutdated(
      of: page, at: cursor, attempt: pass.attempt, checkpoint: &pass.checkpoint, report: &report)
    return isFetched ? page : nil
  }

  /// Adds a page to those that wait to be stored, with the checkpoint after it.
  ///
  /// - Returns: true if it leads to a page that the pass has not read.
  private func add(
    _ page: inout EncodedPage<Feed.Cursor>, to pass: inout PassState, report: inout SyncReport
  ) throws -> Bool {
    pass.repeats.removeRepeats(from: &page.records)
    pass.repeats.removeRepeats(of: &page.removals)
    report.add(page.failures)
    report.missingScope = page.missingScope ?? report.missingScope
    pass.checkpoint.note(page.failures, reader: readerVersion)
    pass.checkpoint.cursor = page.resume
    if pass.checkpoint.restart == .unread { pass.checkpoint.restart = nil }
    let goesOn = page.next.map { $0 != pass.cursor && pass.cycle.goesOn(to: $0) }
    pass.waiting.append(
      try writer.pending(
        page, checkpoint: pass.checkpoint, source: source(of: pass.cursor),
        isComplete: goesOn == nil && pass.checkpoint.pass == .changes && !report.hasNewFailures))
    return goesOn ?? false
  }

  /// Returns the limit of the run that ends a pass before its next page; `nil` if it goes on.
  private func ending(
    of pass: PassState, after records: Int
  ) async throws -> SyncReport.Ending? {
    guard let ending = budget.ending(after: records) else { return nil }
    guard ending == .limit else { return ending }
    return try await nextRunGoesOn(from: pass.checkpoint, after: pass.start) ? ending : nil
  }
}

/// Detects cursors that lead back to an earlier one, however many cursors lie between.
///
/// Brent's algorithm: it remembers one cursor, and replaces it after twice as many pages each time.
/// It detects a cycle before the run has read three times as many pages as there are up to the
/// cycle's end.
struct CycleDetector<Cursor: Equatable> {
  private var remembered: Cursor
  private var steps = 0
  private var limit = 1

  init(start: Cursor) {
    remembered = start
  }

  /// Records the next cursor; returns `false` if it was read before.
  mutating func goesOn(to next: Cursor) -> Bool {
    guard next != remembered else { return false }
    steps += 1
    if steps == limit {
      remembered = next
      limit *= 2
      steps = 0
    }
    return true
  }
}

/// Drops records that the previous page already held.
///
/// Pages overlap on purpose: a run resumes at the last instant that it has seen, inclusively, so
/// that it skips no row when others change in between.
struct RepeatFilter {
  private struct Version: Hashable {
    let id: String
    let order: Int64
    /// At some providers, two changes within one second have the same order.
    let fingerprint: Int64

    init?(_ entry: EncodedRecords.Entry) {
      guard let order = entry.order else { return nil }
      (id, self.order, fingerprint) = (entry.id, order, entry.fingerprint)
    }

    /// The fingerprint alone tells nearly all versions apart, and takes less time than the text.
    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
  }

  /// True if records of all earlier pages are dropped, not only those of the previous page.
  ///
  /// A dry run stores nothing, and would count the records of a list that is read twice.
  private let remembersAll: Bool
  private var recent: Set<Version> = []
  private var removed: Set<String> = []

  init(remembersAll: Bool = false) {
    self.remembersAll = remembersAll
  }

  /// Drops removals of earlier pages from those of a dry run, which removes nothing.
  mutating func removeRepeats(of removals: inout [Removal]) {
    guard remembersAll else { return }
    removals = removals.filter { removed.insert($0.id).inserted }
  }

  mutating func removeRepeats(from records: inout EncodedRecords) {
    // Without an order, nothing shows that two records are the same version.
    let seen = records.entries.compactMap(Version.init)
    if !recent.isEmpty {
      let recent = recent
      records.keep { entry in Version(entry).map { !recent.contains($0) } ?? true }
    }
    // A page with any new record replaces what is remembered. A page of repeats belongs to the same
    // instants, and is remembered as well.
    if remembersAll || records.entries.isEmpty {
      recent.formUnion(seen)
    } else {
      recent = Set(seen)
    }
  }
}
