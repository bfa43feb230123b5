import Models
import Storage
import SystemSupport

/// Stores what a run reads, or tries out what storing it would do.
struct RunWriter<Feed: ResourceFeed> {
  let account: String
  let store: ResourceStore<Feed.Record>
  /// The organisation that the run's sign-in reads.
  let organisation: ProvenOrganisation
  /// `nil` for a trial.
  let run: RunID?
  let options: SyncOptions
  /// Whether this run's cursor is where the next one begins.
  let keepsCheckpoint: Bool
  /// Whether what is stored has to be marked as seen, because a sweep is under way, though not by this
  /// run.
  let marksSeen: Bool
  let clock: TimeSource
  let log: SyncLog
  let progress: @Sendable (SyncProgress) -> Void

  /// A page that was read and is not stored yet.
  struct WaitingPage {
    let page: ReadPage<Feed.Cursor>
    /// Where a later run goes on when the page is stored.
    let checkpoint: Checkpoint<Feed.Cursor>
    let source: String
    /// Whether the list ends with it.
    let isComplete: Bool
  }

  /// Whether pages may wait for the one after them, which is there already, to be stored in one
  /// transaction with it: the least part of storing a small page is its rows.
  ///
  /// A page of a thousand never waits, nor does any of a run that is to end after a number of records, or
  /// that stores nothing.
  func canWait(_ pages: [WaitingPage]) -> Bool {
    run != nil && options.limit == nil && pages.count < 4
      && pages.reduce(0) { $0 + $1.page.records.entries.count } <= 300
      && pages.allSatisfy(\.page.failures.isEmpty)
  }

  /// Stores pages in one transaction, each with the checkpoint behind it.
  func commit(_ pages: [WaitingPage], report: inout SyncReport) async throws {
    guard !pages.isEmpty else { return }
    try await organisation.requireSameSignIn()
    let start = clock.uptime()
    var commits: [PageCommit] = []
    for waiting in pages {
      report.watermarkAfter = [report.watermarkAfter, waiting.page.newest].compactMap(\.self).max()
      commits.append(try commit(of: waiting, report))
    }
    for (waiting, outcome) in zip(pages, try await store.commit(commits)) {
      report.pages += 1
      report.add(outcome)
      log.stored(
        page: report.pages, outcome.counts, unreadable: waiting.page.failures.count,
        storing: (clock.uptime() - start) / pages.count)
      progress(SyncProgress(pages: report.pages, records: report.records))
    }
  }

  private func commit(of waiting: WaitingPage, _ report: SyncReport) throws -> PageCommit {
    var commit = PageCommit(
      account: account, source: waiting.source, run: run, instant: clock.now)
    commit.login = organisation.login
    commit.records = waiting.page.records
    commit.removals = waiting.page.removals
    commit.unreadable = waiting.page.failures.compactMap(\.id)
    commit.isSweep = waiting.checkpoint.pass == .sweep || marksSeen
    commit.checkpoint = keepsCheckpoint ? try waiting.checkpoint.encoded : nil
    commit.watermark = report.watermarkAfter
    commit.isComplete = waiting.isComplete
    commit.requests = report.requests
    return commit
  }

  func beginSweep(at checkpoint: Checkpoint<Feed.Cursor>, source: String) async throws {
    try await organisation.requireSameSignIn()
    try await store.beginSweep(
      account: account, source: source, checkpoint: run == nil ? nil : try checkpoint.encoded)
  }

  /// How many records a sweep has not seen so far.
  func unseen() async throws -> Int {
    try await store.unseen(account: account, isTrial: run == nil)
  }

  func outdated(among versions: [RecordVersion]) async throws -> [String] {
    try await store.outdated(among: versions, account: account, isTrial: run == nil)
  }

  /// How many records the pass has seen.
  func seen(in pass: Checkpoint<Feed.Cursor>.Pass) async throws -> Int {
    try await store.seen(account: account, isSweep: pass == .sweep, isTrial: run == nil)
  }

  /// Stores that a pass through the whole list has ended; after a sweep, what was not seen is deleted.
  ///
  /// - Returns: what would have been deleted, where that were too many; nothing is stored then.
  func endPass(
    at checkpoint: Checkpoint<Feed.Cursor>, source: String, isSweep: Bool, report: inout SyncReport
  ) async throws -> SweepOutcome? {
    try await organisation.requireSameSignIn()
    var end = PassEnd(
      account: account, run: run, instant: clock.now,
      maximumDeletedPercent: options.maximumDeletedPercent
        ?? SyncOptions.defaultMaximumDeletedPercent)
    end.checkpoint = try checkpoint.encoded
    end.watermark = report.watermarkAfter
    end.isComplete = report.failureCount == 0
    end.deletesUnseen = isSweep
    let outcome = try await store.endPass(end)
    guard !outcome.isRefused else { return outcome }
    report.add(outcome)
    return nil
  }
}
