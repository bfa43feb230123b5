package import AppCore
package import Documents
import Foundation
import Models
import Storage
package import Sync

/// The document that a sync prints.
package struct SyncReportDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let resource: String
  let provider: String
  let result: SyncReport.Result
  let ending: Nullable<SyncReport.Ending>
  let inserted: Int
  let updated: Int
  let unchanged: Int
  let deleted: Int
  let unreadable: Int
  /// The number of those that no earlier run has reported.
  let newlyUnreadable: Int
  /// The differences that a comparison with the server found and corrected.
  let verification: Nullable<Verification>
  /// The changes that a dry run reports; absent for other runs.
  let changes: [Change]?
  let pages: Int
  let requests: Int
  /// Omitted from the report of several accounts, which can share a login.
  let tokenRequests: Int?
  let retries: Int
  let waitedSeconds: Double
  let watermarkBefore: Nullable<Timestamp>
  let watermarkAfter: Nullable<Timestamp>
  let retryAt: Nullable<Timestamp>
  /// The time zone in which instants became days; `null` if the provider sends days.
  let timeZone: Nullable<String>
  /// The scope that the login lacks, so that records lack what it covers.
  let missingScope: Nullable<String>
  /// The reason why everything was read again: `description` or `time-zone`.
  let readAgain: Nullable<SyncReport.Rereading>
  let durationSeconds: Double

  struct Verification: Encodable {
    let missing: Int
    let different: Int
    let surplus: Int
  }

  /// The change that a dry run reports for one record.
  struct Change: Encodable {
    struct Field: Encodable {
      let field: String
      let old: Nullable<String>
      let new: Nullable<String>
    }

    let id: String
    /// The number of an invoice.
    let number: Nullable<String>
    /// The name of the contact.
    let contact: Nullable<String>
    let change: String
    /// The fields that differ from the stored record; empty for a new record.
    let fields: [Field]
    /// Number of further fields that differ.
    let omittedFields: Int

    init(_ change: RecordChange) {
      id = change.id
      number = Nullable(change.number)
      contact = Nullable(change.contact)
      self.change = change.kind.rawValue
      fields = change.fields.map {
        Field(field: $0.field, old: Nullable($0.old), new: Nullable($0.new))
      }
      omittedFields = change.omittedFields
    }
  }

  package init(_ report: SyncReport, tokenRequests: Int?) {
    account = report.account
    resource = report.resource.rawValue
    provider = report.provider
    result = report.result
    ending = Nullable(report.ending)
    inserted = report.counts.inserted
    updated = report.counts.updated
    unchanged = report.counts.unchanged
    deleted = report.counts.deleted
    unreadable = report.failureCount
    newlyUnreadable = report.newFailureCount
    verification = Nullable(
      report.verification.map {
        Verification(missing: $0.inserted, different: $0.updated, surplus: $0.deleted)
      })
    changes = report.result == .dryRun ? report.changes.map(Change.init) : nil
    pages = report.pages
    requests = report.requests
    self.tokenRequests = tokenRequests
    retries = report.retries
    waitedSeconds = report.waited.inSeconds
    watermarkBefore = Nullable(report.watermarkBefore)
    watermarkAfter = Nullable(report.watermarkAfter)
    retryAt = Nullable(report.retryAt)
    timeZone = Nullable(
      report.dayZone == .notNeeded
        ? nil : report.dayZone == .unknown ? "UTC" : report.dayZone.timeZone.identifier)
    missingScope = Nullable(report.missingScope)
    readAgain = Nullable(report.rereading)
    durationSeconds = report.duration.inSeconds
  }
}

/// The document that `appcore sync all` prints.
package struct SyncReportsDocument: Encodable {
  let schemaVersion = 1
  let reports: [SyncReportDocument]
  /// The files of the invoices, if the sync fetched them.
  let documents: [DocumentReportDocument]?

  /// Creates the document of a sequence of syncs; `nil` if a cancellation ended it before any of
  /// them.
  package init?(
    _ reports: [SyncReportDocument], isInterrupted: Bool, files: [DocumentReport]? = nil
  ) {
    if reports.isEmpty, isInterrupted { return nil }
    self.reports = reports
    documents = files?.map(DocumentReportDocument.init)
  }
}

/// The document that a sync of several accounts prints.
package struct AccountSyncsDocument: Encodable {
  let schemaVersion = 1
  let accounts: [Account]
  /// The files of the invoices, if the sync fetched them.
  let documents: [DocumentReportDocument]?
  /// The requests of all accounts to authorization servers.
  let tokenRequests: Int
  let durationSeconds: Double

  struct Account: Encodable {
    let account: String
    let organisationName: Nullable<String>
    let provider: String
    let result: AccountSyncResult.Ending
    let reports: [SyncReportDocument]
  }

  package init(
    _ results: [AccountSyncResult], in configuration: CoreConfiguration,
    _ organisations: OrganisationNames, files: [DocumentReport]?, tokenRequests: Int,
    duration: Duration
  ) {
    documents = files?.map(DocumentReportDocument.init)
    accounts = results.map { result in
      Account(
        account: result.account, organisationName: Nullable(organisations[result.account]),
        provider: configuration.accounts[result.account]?.provider ?? "", result: result.ending,
        reports: result.reports.map { SyncReportDocument($0, tokenRequests: nil) })
    }
    self.tokenRequests = tokenRequests
    durationSeconds = duration.inSeconds
  }
}

extension AccountSyncResult {
  /// The ways in which the syncs of an account end.
  package enum Ending: String, Encodable {
    case complete
    case partial
    case dryRun = "dry-run"
    /// A sync ended with an error.
    case failed
    /// A cancellation ended the syncs, and none failed before.
    case interrupted
  }

  /// The way in which the syncs ended.
  package var ending: Ending {
    for case .failure(let error) in outcomes.map(\.result) where !(error is CancellationError) {
      return .failed
    }
    if isInterrupted { return .interrupted }
    switch reports.map(\.result).first(where: { $0 != .complete }) {
    case .partial?: return .partial
    case .dryRun?: return .dryRun
    case .complete?, nil: return .complete
    }
  }
}

extension Duration {
  /// The duration in seconds, to the millisecond.
  package var inSeconds: Double {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Double(milliseconds) / 1_000
  }
}
