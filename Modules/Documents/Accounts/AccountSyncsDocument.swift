package import AppCore
import Authentication
import Models
import Storage
import Sync

/// The document that a sync of several accounts prints.
package struct AccountSyncsDocument: Encodable {
  let schemaVersion = 1
  package let accounts: [AccountSyncDocument]
  /// The requests of all accounts to authorization servers.
  let tokenRequests: Int
  package let durationSeconds: Double

  package init(accounts: [AccountSyncDocument], tokenRequests: Int, duration: Duration) {
    self.accounts = accounts
    self.tokenRequests = tokenRequests
    durationSeconds = duration.inSeconds
  }
}

/// The syncs of one account in the document of several.
package struct AccountSyncDocument: Encodable {
  package let account: String
  let provider: String
  /// `complete`, `partial`, `dry-run` or `failed`.
  let result: String
  package let reports: [SyncReportDocument]
  /// The failures, which are reported on standard error.
  package let failures: [Failure]

  private enum CodingKeys: CodingKey { case account, provider, result, reports }

  /// Reads what is stored now, for the text.
  ///
  /// - Throws: `StorageError`.
  package init(_ result: AccountSyncResult, in core: ApplicationCore) async throws {
    account = result.account
    provider = core.configuration.accounts[result.account]?.provider ?? ""
    var reports: [SyncReportDocument] = []
    var failures: [Failure] = []
    for outcome in result.outcomes {
      var failure: Failure?
      switch outcome.result {
      case .success(let report):
        let stored = try await core.database().listedCount(
          of: report.resource, account: result.account)
        let document = SyncReportDocument(report, tokenRequests: nil, stored: stored)
        reports.append(document)
        failure = document.failure(in: core.configuration)
      case .failure(let error):
        failure = Failure(error, in: core.configuration, account: result.account)
        failure?.resource = outcome.resource?.rawValue
      }
      failure?.account = result.account
      failures += failure.map { [$0] } ?? []
    }
    self.reports = reports
    self.failures = failures
    let isFailed = result.outcomes.contains { if case .failure = $0.result { true } else { false } }
    let complete = SyncReport.Result.complete.rawValue
    self.result =
      isFailed ? "failed" : reports.map(\.result).first { $0 != complete } ?? complete
  }

  /// True if a sync ended with an error.
  package var isFailed: Bool { result == "failed" }
  /// True if a sync ended in order before everything was stored.
  package var isPartial: Bool { result == SyncReport.Result.partial.rawValue }
}
