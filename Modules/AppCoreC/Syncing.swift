import AppCore
import Authentication
import CAppCore
import Models
import Presentation
import Storage
import Sync

extension SyncOptions {
  init(_ choices: inout Choices) throws {
    self.init()
    isFull = try choices.flag("full")
    verifies = try choices.flag("verify")
    isDryRun = try choices.flag("dryRun")
    isSameOrganisation = try choices.flag("sameOrganisation")
    if try choices.flag("allowMassDeletion") { maximumDeletedPercent = 100 }
    if try !choices.flag("wait", default: true) { maximumLockWait = .zero }
    limit = try choices.count("limit", atLeast: 1)
    maximumDuration = try choices.seconds("maxDurationSeconds")
    maximumWait = try choices.seconds("maxWaitSeconds") ?? maximumWait
    since = try choices.value("since", FilterValue.instant)
    guard since == nil || !isFull && !verifies else {
      throw Misuse.badArgument(message: "since cannot be combined with full or verify")
    }
  }
}

extension CoreRequest {
  /// Syncs resources one after the other; if one fails, the others still run.
  func sync(_ resource: Resource?, account: String, _ options: SyncOptions) async throws {
    guard let resource else { return try await syncAll(account: account, options) }
    let before = core.authenticator.tokenRequests
    let report: SyncReport
    do { report = try await sync(resource, account, options) } catch {
      throw Failures(error, in: core.configuration, account: account, of: resource)
    }
    let tokenRequests = core.authenticator.tokenRequests - before
    post(APPCORE_EVENT_REPORT, SyncReportDocument(report, tokenRequests: tokenRequests))
    if let failure = report.failure(in: core.configuration) { throw Failures(failure) }
  }

  private func syncAll(account: String, _ options: SyncOptions) async throws {
    let outcomes = try await core.syncResources(account: account) {
      try await sync($0, account, options)
    }
    let reports = outcomes.compactMap { outcome in
      (try? outcome.result.get()).map {
        SyncReportDocument($0, tokenRequests: outcome.tokenRequests)
      }
    }
    let isInterrupted = outcomes.last?.isInterrupted == true
    if let document = SyncReportsDocument(reports, isInterrupted: isInterrupted) {
      post(APPCORE_EVENT_REPORT, document)
    }
    let failures = outcomes.failures(in: core.configuration, account: account)
    if let failures = Failures(failures) { throw failures }
  }

  private func sync(
    _ resource: Resource, _ account: String, _ options: SyncOptions
  ) async throws -> SyncReport {
    let running = try await core.sync(resource, account: account).start(options)
    let forwarding = Task {
      for await event in running.progress {
        post(APPCORE_EVENT_PROGRESS, ProgressDocument(event, account: account, resource: resource))
      }
    }
    let result: Result<SyncReport, any Error>
    do { result = .success(try await running.report) } catch { result = .failure(error) }
    // The report comes after the progress.
    await forwarding.value
    return try result.get()
  }

  func status(account: String?, configurationPath: String) async throws {
    post(
      APPCORE_EVENT_STATUS,
      StatusDocument(
        try await StatusReport(
          of: core, accounts: account.map { [$0] }, runs: nil,
          database: try await core.databaseForReading(), configuration: configurationPath)))
  }

  /// Reports changes of records and logins until the request is cancelled.
  func watch() async throws {
    // First: the program may go on once it has the first event.
    let logins = core.authenticator.credentialChanges()
    let database = try await core.database()
    try await withThrowingTaskGroup { group in
      group.addTask {
        for try await _ in database.changesFromNow() {
          post(APPCORE_EVENT_CHANGED, isChangeOfRecords: true, ChangeDocument.records)
        }
      }
      group.addTask {
        for await change in logins {
          post(APPCORE_EVENT_CHANGED, ChangeDocument(change))
        }
      }
      try await group.waitForAll()
    }
    try Task.checkCancellation()
  }
}

/// The document of `APPCORE_EVENT_CHANGED`.
struct ChangeDocument: Encodable {
  let schemaVersion = 1
  /// `records` or `login`.
  let changed: String
  /// The account of a login, and what became of it; absent for records.
  private(set) var account: String?
  private(set) var login: String?

  static let records = ChangeDocument(changed: "records")

  private init(changed: String) { self.changed = changed }

  init(_ change: CredentialChange) {
    changed = "login"
    account = change.account
    login =
      switch change.kind {
      case .signedIn: "signed-in"
      case .renewed: "renewed"
      case .signedOut: "signed-out"
      case .ended: "ended"
      }
  }
}
