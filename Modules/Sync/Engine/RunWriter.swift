import Models
import Storage

/// Stores what a run reads, or tries out what storing it would do.
struct RunWriter<Feed: ResourceFeed> {
  let account: String
  let store: ResourceStore<Feed.Record>
  /// `nil` for a trial.
  let run: RunID?
  let options: SyncOptions
  /// Whether this run's place is where the next one begins.
  let keepsPlace: Bool
  /// Whether what is stored has to be marked as seen, because a sweep is under way, though not by this
  /// run.
  let marksSeen: Bool
  let clock: SyncClock
  let log: SyncLog
  let progress: @Sendable (SyncProgress) -> Void

  func commit(
    _ page: ReadPage<Feed.Place>, at cursor: RunCursor<Feed.Place>, source: String,
    isComplete: Bool, report: inout SyncReport
  ) async throws {
    let start = clock.elapsed()
    report.watermarkAfter = [report.watermarkAfter, page.newest].compactMap(\.self).max()
    var commit = PageCommit(
      account: account, source: source, run: run, instant: clock.now())
    commit.records = page.records
    commit.removals = page.removals
    commit.unreadable = page.failures.compactMap(\.id)
    commit.isSweep = cursor.pass == .sweep || marksSeen
    commit.cursor = keepsPlace ? try cursor.encoded : nil
    commit.watermark = report.watermarkAfter
    commit.isComplete = isComplete
    commit.requests = report.requests
    let outcome = try await store.commit(commit)
    report.pages += 1
    report.add(outcome)
    log.stored(
      page: report.pages, outcome.counts, unreadable: page.failures.count,
      storing: clock.elapsed() - start)
    progress(SyncProgress(pages: report.pages, records: report.records))
  }

  func beginSweep(at cursor: RunCursor<Feed.Place>, source: String) async throws {
    try await store.beginSweep(
      account: account, source: source, cursor: run == nil ? nil : try cursor.encoded)
  }

  /// How many records a sweep has not seen so far.
  func unseen() async throws -> Int {
    try await store.unseen(account: account, isTrial: run == nil)
  }

  func outdated(among versions: [RecordVersion]) async throws -> [String] {
    try await store.outdated(among: versions, account: account, isTrial: run == nil)
  }

  /// How many records the pass has seen.
  func seen(in pass: RunCursor<Feed.Place>.Pass) async throws -> Int {
    try await store.seen(account: account, isSweep: pass == .sweep, isTrial: run == nil)
  }

  /// Stores that a pass through the whole list has ended; after a sweep, what was not seen is deleted.
  ///
  /// - Returns: what would have been deleted, where that were too many; nothing is stored then.
  func endPass(
    at cursor: RunCursor<Feed.Place>, source: String, isSweep: Bool, report: inout SyncReport
  ) async throws -> SweepOutcome? {
    var end = PassEnd(account: account, run: run, instant: clock.now())
    end.cursor = try cursor.encoded
    end.watermark = report.watermarkAfter
    end.isComplete = report.failureCount == 0
    end.deletesUnseen = isSweep
    end.maximumDeletedShare = options.maximumDeletedShare
    let outcome = try await store.endPass(end)
    guard !outcome.isRefused else { return outcome }
    report.add(outcome)
    return nil
  }
}
