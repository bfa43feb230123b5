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
  /// `complete`, `partial`, `dry-run`, `failed` or `interrupted`.
  let result: String
  package let reports: [SyncReportDocument]
  /// The failures, which are reported on standard error; an interruption is one of the command.
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
    var isFailed = false
    for outcome in result.outcomes {
      var failure: Failure?
      switch outcome.result {
      case .success(let report):
        let document = try await SyncReportDocument(report, tokenRequests: nil, in: core)
        reports.append(document)
        failure = document.failure(in: core.configuration)
      case .failure(is CancellationError): break
      case .failure(let error):
        isFailed = true
        failure = Failure(error, in: core.configuration, account: result.account)
        failure?.resource = outcome.resource?.rawValue
      }
      failure?.account = result.account
      failures += failure.map { [$0] } ?? []
    }
    self.reports = reports
    self.failures = failures
    if isFailed {
      self.result = "failed"
    } else if result.isInterrupted {
      self.result = "interrupted"
    } else {
      let complete = SyncReport.Result.complete.rawValue
      self.result = reports.map(\.result).first { $0 != complete } ?? complete
    }
  }

  /// True if a sync ended with an error.
  package var isFailed: Bool { result == "failed" }
  /// True if a sync ended in order before everything was stored.
  package var isPartial: Bool { result == SyncReport.Result.partial.rawValue }
  /// True if a cancellation ended the syncs, and none failed before.
  package var isInterrupted: Bool { result == "interrupted" }
}
