import Models
import Storage
import SystemSupport

/// Stores what a run reads, after it has proved that the sign-in is still the same.
struct RunWriter<Feed: ResourceFeed> {
  typealias RunCheckpoint = Checkpoint<Feed.Cursor>

  let store: RunStore<Feed.Record>
  /// The organisation that the run's sign-in reads.
  let organisation: ProvenOrganisation
  let options: SyncOptions
  /// Whether a sweep of an earlier run is under way, so that what this one stores is marked as
  /// seen.
  let marksSeen: Bool
  let clock: TimeSource
  let log: SyncLog
  let progress: @Sendable (SyncProgress) -> Void

  /// Returns a page as it is to be stored, with the checkpoint behind it.
  ///
  /// - Parameter isComplete: whether the list ends with it.
  func pending(
    _ page: EncodedPage<Feed.Cursor>, checkpoint: RunCheckpoint, source: String,
    isComplete: Bool = false
  ) throws -> PendingPage {
    var pending = PendingPage(source: source, instant: clock.now)
    pending.login = organisation.login
    pending.records = page.records
    pending.removals = page.removals
    pending.unreadable = page.failures.compactMap(\.id)
    pending.failureCount = page.failures.count
    pending.isSweep = checkpoint.pass == .sweep || marksSeen
    // A run since an instant leaves the checkpoint of the runs before it.
    pending.checkpoint = options.since == nil ? try checkpoint.encoded : nil
    pending.newest = page.newest
    pending.isComplete = isComplete
    return pending
  }

  /// Returns whether pages may wait for the one after them, which has arrived, to be stored in one
  /// transaction with it: writing its rows is the smallest part of storing a small page.
  ///
  /// A page of a thousand never waits, nor does any of a run that ends after a number of records,
  /// or that stores nothing.
  func canWait(_ pages: [PendingPage]) -> Bool {
    store.mode != .dryRun && options.limit == nil && pages.count < 4
      && pages.reduce(0) { $0 + $1.records.entries.count } <= 300
      && pages.allSatisfy { $0.failureCount == 0 }
  }

  /// Stores pages in one transaction, each with the checkpoint behind it.
  func commit(_ pages: [PendingPage], report: inout SyncReport) async throws {
    guard !pages.isEmpty else { return }
    try await organisation.requireSameSignIn()
    let start = clock.uptime()
    var pages = pages
    for index in pages.indices {
      report.watermarkAfter = [report.watermarkAfter, pages[index].newest].compactMap(\.self).max()
      pages[index].watermark = report.watermarkAfter
      pages[index].instant = clock.now
    }
    for (page, changes) in zip(pages, try await store.commit(pages)) {
      report.pages += 1
      report.add(changes)
      log.stored(
        page: report.pages, changes.counts, unreadable: page.failureCount,
        storing: (clock.uptime() - start) / pages.count)
      progress(SyncProgress(pages: report.pages, records: report.records))
    }
  }

  /// Begins a complete sweep at a checkpoint.
  func beginSweep(at checkpoint: RunCheckpoint, source: String) async throws {
    try await organisation.requireSameSignIn()
    try await store.beginSweep(source: source, checkpoint: try checkpoint.encoded)
  }

  /// Stores that a pass through the whole list has ended; after a sweep, deletes what was not seen.
  ///
  /// - Returns: what would have been deleted, where that is too much; nothing is stored then.
  func endPass(
    at checkpoint: RunCheckpoint, deletesUnseen: Bool, report: inout SyncReport
  ) async throws -> SweepOutcome? {
    try await organisation.requireSameSignIn()
    var end = PassCompletion(
      instant: clock.now,
      maximumDeletedPercent: options.maximumDeletedPercent
        ?? SyncOptions.defaultMaximumDeletedPercent)
    end.checkpoint = try checkpoint.encoded
    end.watermark = report.watermarkAfter
    end.isComplete = report.failureCount == 0
    end.deletesUnseen = deletesUnseen
    let outcome = try await store.endPass(end)
    guard !outcome.isRefused else { return outcome }
    report.add(outcome)
    return nil
  }
}
