import Models
import Networking
import Storage
import SystemSupport

/// One run, from its beginning to its report.
struct SyncRun<Feed: ResourceFeed> {
  let account: String
  let feed: Feed
  let session: Session
  let store: ResourceStore<Feed.Record>
  let signIn: SignInSource
  let options: SyncOptions
  let progress: @Sendable (SyncProgress) -> Void
  let clock: TimeSource
  let log: SyncLog

  func run() async throws -> SyncReport {
    let budget = RunBudget(options, clock)
    let statistics = session.statistics
    let earlier = try await store.resumption(account: account)
    var report = SyncReport(account: account, resource: store.resource, provider: feed.provider)
    report.watermarkBefore = earlier?.watermark
    report.watermarkAfter = earlier?.watermark
    if options.isTrial { report.result = .trial }

    log.begins(provider: feed.provider, isFull: options.isFull, since: earlier?.watermark)
    let run = try await begin(watermark: earlier?.watermark)
    do {
      let reader = PageReader(
        feed: feed, session: session, store: store, clock: clock, maximumWait: options.maximumWait)
      let known = Checkpoint<Feed.Cursor>(earlier)
      let login = try await reader.value(within: budget.remaining, of: signIn.login)
      let proof = try await OrganisationProof(
        account: account, feed: feed, store: store, signIn: signIn, options: options
      ).run(login, known: known?.cursor) { try await reader.begin($0, within: budget.remaining) }
      let checkpoint = proof.startsOver ? nil : known
      // Also where no cursor was kept, as by runs since an instant.
      var hasRecords = checkpoint != nil
      if !hasRecords { hasRecords = try await store.hasRecords(account: account) }
      var passes = passes(run, checkpoint, proof, reader, hasRecords: hasRecords, budget)
      try await passes.run(after: checkpoint, report: &report)
    } catch SyncError.rateLimited(let retryAt) {
      // Asked for where the list begins.
      report.end(.rateLimit, retryAt: retryAt)
    } catch is CancellationError where !Task.isCancelled && budget.remaining == .zero {
      // Its time was up there.
      report.end(.duration, retryAt: budget.now)
    } catch {
      log.failed(error)
      // Also where the caller is cancelled: nobody is to take it for a run that goes on.
      let failed = report
      try? await Task { try await end(run, .failed, error: error, failed) }.value
      throw error
    }
    let after = session.statistics
    report.requests = after.requests - statistics.requests
    report.retries = after.retries - statistics.retries
    report.waited = after.waited - statistics.waited + budget.waited
    report.duration = budget.elapsed
    try await end(run, report.result == .complete ? .complete : .partial, error: nil, report)
    log.ended(report)
    return report
  }

  private func passes(
    _ run: RunID?, _ earlier: Checkpoint<Feed.Cursor>?, _ proof: OrganisationProof<Feed>.Outcome,
    _ reader: PageReader<Feed>, hasRecords: Bool, _ budget: RunBudget
  ) -> PassRunner<Feed> {
    PassRunner(
      feed: feed,
      writer: RunWriter(
        account: account, store: store, organisation: proof.organisation, run: run,
        options: options,
        keepsCheckpoint: options.since == nil,
        marksSeen: run != nil && earlier?.pass == .sweep, clock: clock, log: log, progress: progress
      ),
      options: options, budget: budget, reader: reader, hasRecords: hasRecords,
      freshStart: proof.start)
  }

  /// A trial leaves no trace.
  private func begin(watermark: Timestamp?) async throws -> RunID? {
    guard !options.isTrial else { return nil }
    return try await store.beginRun(
      RunStart(
        account: account, provider: feed.provider, mode: options.mode, startedAt: clock.now,
        watermarkBefore: watermark))
  }

  private func end(
    _ run: RunID?, _ result: RunRecord.Result, error: (any Error)?, _ report: SyncReport
  ) async throws {
    guard let run else { return }
    try await store.endRun(
      run,
      RunEnd(
        result: result, errorCode: error.map { String(describing: type(of: $0)) },
        watermark: report.watermarkAfter, requests: report.requests, endedAt: clock.now))
  }
}

extension SyncOptions {
  fileprivate var mode: String {
    if isFull { return "full" }
    if verifies { return "verify" }
    return since == nil ? "incremental" : "since"
  }
}
