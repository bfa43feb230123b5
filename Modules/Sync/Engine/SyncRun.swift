import ErrorCodes
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
    var report = SyncReport(account: account, resource: store.resource, provider: provider)
    report.watermarkBefore = earlier?.watermark
    report.watermarkAfter = earlier?.watermark
    if options.isDryRun { report.result = .dryRun }

    progress(.connecting(provider: provider))
    log.begins(provider: provider, isFull: options.isFull, since: earlier?.watermark)
    let run = try await begin(watermark: earlier?.watermark)
    do {
      let known = Checkpoint<Feed.Cursor>(earlier)
      try await read(into: run, after: known, within: budget, report: &report)
    } catch let error as SyncError where error.postponement != nil {
      // The server asked to retry later at the start of the list.
      if let asked = error.postponement { report.end(asked.ending, retryAt: asked.retryAt) }
    } catch is CancellationError where !Task.isCancelled && budget.remaining == .zero {
      // The run's time was up at the start of the list.
      report.end(.duration, retryAt: budget.now)
    } catch {
      log.failed(error)
      await endFailed(run, error, report: report)
      throw error
    }
    let after = session.statistics
    report.requests = after.requests - statistics.requests
    report.retries = after.retries - statistics.retries
    report.waited = after.waited - statistics.waited + budget.waited
    report.duration = budget.elapsed
    try await recallUnreadable(&report)
    try await end(run, report.result == .complete ? .complete : .partial, report: report)
    if !options.isDryRun { await updateIndexes() }
    log.ended(report)
    progress(.finished(report.result))
    return report
  }

  private var provider: String { feed.traits.provider }

  /// Requires that the sign-in reads the organisation whose records the account holds, if it holds
  /// any; stores nothing.
  ///
  /// - Returns: the proved organisation; `nil` if the account holds nothing.
  /// - Throws: as the run itself, before it stores anything.
  func requireOrganisation() async throws -> ProvenOrganisation? {
    guard try await store.database.owner(account: account) != nil else { return nil }
    let budget = RunBudget(options, clock)
    let known = Checkpoint<Feed.Cursor>(try await store.resumption(account: account))
    return try await proof(reader(within: budget), after: known, within: budget).organisation
  }

  private func read(
    into run: RunStore<Feed.Record>, after known: Checkpoint<Feed.Cursor>?,
    within budget: RunBudget, report: inout SyncReport
  ) async throws {
    let reader = reader(within: budget)
    let proof = try await proof(reader, after: known, within: budget)
    let checkpoint = proof.startsOver ? nil : known
    // A run since an instant stores records, but no checkpoint.
    var hasRecords = checkpoint != nil
    if !hasRecords { hasRecords = try await store.hasRecords(account: account) }
    var passes = PassRunner(
      feed: feed,
      writer: RunWriter(
        store: run, organisation: proof.organisation, options: options,
        marksSeen: !options.isDryRun && checkpoint?.pass == .sweep, clock: clock, log: log,
        progress: progress, traits: feed.traits,
        position: ListPosition(startedAt: clock.uptime())),
      options: options, budget: budget, reader: reader, hasRecords: hasRecords,
      freshStart: proof.start)
    try await passes.run(after: checkpoint, report: &report)
  }

  private func reader(within budget: RunBudget) -> PageReader<Feed> {
    PageReader(
      FeedClient(
        feed: feed, session: session, clock: clock, maximumWait: options.maximumWait,
        onWait: { [progress, clock] wait in
          if wait.reason == .askedByServer, !budget.admits(wait.duration) { return false }
          progress(.waiting(SyncProgress.Wait(wait, from: clock.now)))
          return true
        }, onAnswer: budget.noteAnswer, messages: ServerMessages(log)),
      encodingFor: store, isLimited: options.limit != nil)
  }

  private func proof(
    _ reader: PageReader<Feed>, after known: Checkpoint<Feed.Cursor>?, within budget: RunBudget
  ) async throws -> OrganisationProof<Feed>.Outcome {
    let login = try await reader.value(within: budget.remaining, of: signIn.login)
    return try await OrganisationProof(
      account: account, feed: feed, store: store, signIn: signIn, options: options
    ).run(login, known: known?.cursor) { start in
      try await budget.obeying { [progress, clock] wait in
        progress(
          .waiting(SyncProgress.Wait(reason: .rateLimit, duration: wait, from: clock.now)))
      } _: {
        try await reader.begin(start, within: budget.remaining)
      }
    }
  }

  private func begin(watermark: Timestamp?) async throws -> RunStore<Feed.Record> {
    guard !options.isDryRun else { return store.beginDryRun(account: account) }
    return try await store.beginRun(
      RunStart(
        account: account, provider: provider, kind: options.kind, startedAt: clock.now,
        watermarkBefore: watermark))
  }

  private func endFailed(
    _ run: RunStore<Feed.Record>, _ error: any Error, report: SyncReport
  ) async {
    let isCancelled = error is CancellationError || Task.isCancelled
    do {
      // In a task of its own, since the caller may be cancelled: the record must not say that the
      // run is still in progress.
      try await Task {
        try await end(
          run, isCancelled ? .interrupted : .failed,
          cause: isCancelled ? nil : RunCause(error), report: report)
      }.value
    } catch {
      log.leftRunOpen(error)
    }
    // A user who cancels waits for nothing else.
    if !options.isDryRun, !Task.isCancelled { await updateIndexes() }
  }

  /// Brings the indexes up to date, or leaves them to the next list.
  ///
  /// If it fails, everything is stored all the same, and the next run does it.
  private func updateIndexes() async {
    guard !LeftIndexes.areForNextList else { return }
    progress(.indexing)
    do {
      try await store.database.updateIndexes(leavesWords: LeftIndexes.areWordsForLaterList)
      try await store.database.computeDues(account: account, at: clock.now)
    } catch {
      log.leftIndexes(error)
    }
  }

  private func end(
    _ run: RunStore<Feed.Record>, _ result: RunRecord.Result, cause: RunCause? = nil,
    report: SyncReport
  ) async throws {
    try await run.end(
      RunEnd(
        result: result, errorCode: cause?.code.rawValue ?? report.ending?.storedCode,
        cause: cause?.text,
        retryAt: cause?.retryAt ?? report.retryAt, watermark: report.watermarkAfter,
        requests: report.requests, endedAt: clock.now, login: await signIn.inUse(),
        reportsUnreadable: result == .complete || report.ending == .unreadable))
  }

  /// Adds the unreadable records that the run had no reason to read again.
  private func recallUnreadable(_ report: inout SyncReport) async throws {
    guard !options.isDryRun else { return }
    let (database, resource) = (store.database, store.resource)
    let count = try await database.unreadableCount(of: resource, account: account)
    guard count > 0 else { return }
    let records = try await database.unreadableRecords(
      of: resource, account: account, limit: SyncReport.failuresLimit)
    report.recall(records, of: count)
  }
}

/// The indexes that a run leaves behind.
///
/// With its indexes, a table takes new rows at several times the cost, so that of two lists for
/// one table, such as invoices and credit notes, the second one creates them.
package enum LeftIndexes {
  /// True if the calling task syncs a list of the same table next.
  @TaskLocal package static var areForNextList = false
  /// True if the calling task syncs another list later, which then ends the search index.
  ///
  /// The words of a first sync are added beside it.
  @TaskLocal package static var areWordsForLaterList = false
}

extension SyncOptions {
  fileprivate var kind: RunKind {
    if isFull { return .full }
    if verifies { return .verify }
    return since == nil ? .incremental : .since
  }
}

extension TimeSource {
  var now: Timestamp { Timestamp(wall()) }
}
