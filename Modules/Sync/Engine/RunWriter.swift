import Models
import Storage
import SystemSupport

/// Stores what a run reads, after checking that the sign-in is still the same.
struct RunWriter<Feed: ResourceFeed> {
  typealias RunCheckpoint = Checkpoint<Feed.Cursor>

  let store: RunStore<Feed.Record>
  let organisation: ProvenOrganisation
  let options: SyncOptions
  /// True if a sweep of an earlier run is in progress, so that this run marks what it stores as
  /// seen.
  let marksSeen: Bool
  let clock: TimeSource
  let log: SyncLog
  let progress: @Sendable (SyncProgress) -> Void
  /// The traits of the list, of which a checkpoint keeps how records were read.
  let traits: FeedTraits
  var position = ListPosition()

  /// Returns a page as it is stored, with the checkpoint after it.
  ///
  /// - Parameter isComplete: true if a pass through the changes is complete with this page.
  func pending(
    _ page: EncodedPage<Feed.Cursor>, checkpoint: RunCheckpoint, source: String,
    isComplete: Bool = false
  ) throws -> PendingPage {
    var pending = PendingPage(source: source, instant: clock.now)
    pending.login = organisation.login
    pending.addresses = organisation.addresses
    pending.records = page.records
    pending.removals = page.removals
    pending.unreadable = page.failures.compactMap { failure in
      failure.id.map { UnreadableRow(id: $0, path: failure.path, reason: failure.reason) }
    }
    pending.failureCount = page.failures.count
    pending.isSweep = checkpoint.pass == .sweep || marksSeen
    // A run since an instant keeps the checkpoint of the runs before it.
    pending.checkpoint = options.since == nil ? try encoded(checkpoint) : nil
    pending.newest = page.newest
    pending.isComplete = isComplete
    return pending
  }

  /// Returns whether pages may wait, to be stored in one transaction with the next page, which has
  /// arrived.
  ///
  /// Rows with random identifiers change as many pages of their index as there are rows, and each
  /// transaction writes those out: one for a thousand rows costs two thirds of four for 250 each.
  /// The bound is in bytes, so that a transaction has more of small records, such as payments. Only
  /// pages without failures wait, and none of a dry run or of a run that ends after a number of
  /// records.
  func canWait(_ pages: [PendingPage]) -> Bool {
    store.mode != .dryRun && options.limit == nil && pages.count < 20
      && pages.reduce(0) { $0 + $1.records.byteCount } <= WaitingPages.mostBytes
      && pages.allSatisfy { $0.failureCount == 0 }
  }

  /// Stores pages in one transaction, each with the checkpoint after it.
  mutating func commit(_ pages: [PendingPage], report: inout SyncReport) async throws {
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
      progress(
        .stored(
          position.stored(pages: report.pages, records: report.records, at: clock.uptime())))
    }
  }

  /// Returns a checkpoint as it is stored, with the address of its list, the zone of its days and
  /// the version of its reader.
  private func encoded(_ checkpoint: RunCheckpoint) throws -> [UInt8] {
    var checkpoint = checkpoint
    checkpoint.address = organisation.address
    checkpoint.timeZone = traits.timeZone
    checkpoint.reader = traits.reader
    return try checkpoint.encoded
  }

  func beginSweep(at checkpoint: RunCheckpoint, source: String) async throws {
    try await organisation.requireSameSignIn()
    try await store.beginSweep(source: source, checkpoint: try encoded(checkpoint))
  }

  /// Stores the end of a pass through the whole list; after a sweep, deletes the records not seen.
  ///
  /// - Returns: the refused deletions if they are too many, in which case nothing is stored; else
  ///   `nil`.
  func endPass(
    at checkpoint: RunCheckpoint, deletesUnseen: Bool, report: inout SyncReport
  ) async throws -> SweepOutcome? {
    try await organisation.requireSameSignIn()
    var end = PassCompletion(
      instant: clock.now,
      maximumDeletedPercent: options.maximumDeletedPercent
        ?? options.settings.maximumDeletedPercent)
    end.checkpoint = try encoded(checkpoint)
    end.watermark = report.watermarkAfter
    end.isComplete = !report.hasNewFailures
    end.deletesUnseen = deletesUnseen
    let outcome = try await store.endPass(end)
    guard !outcome.isRefused else { return outcome }
    report.add(outcome)
    return nil
  }
}
