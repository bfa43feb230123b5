package import AppCore
import Foundation
package import Models
import Storage
package import Sync

/// The document that a sync prints.
package struct SyncReportDocument: Encodable {
  let schemaVersion = 1
  package let account: String
  package let resource: String
  package let provider: String
  package let result: String
  /// The reason why the run is partial: `unreadable`, `rate-limit`, `duration`, `limit` or
  /// `continued`.
  package let ending: Nullable<SyncReport.Ending>
  package let inserted: Int
  package let updated: Int
  let unchanged: Int
  package let deleted: Int
  package let unreadable: Int
  /// The number of those that no earlier run has reported.
  package let newlyUnreadable: Int
  /// The differences that a comparison with the server found and corrected.
  package let verification: Nullable<Verification>
  /// The changes that a dry run reports; absent for other runs.
  package let changes: [SyncChangeDocument]?
  package let pages: Int
  package let requests: Int
  /// Omitted from the report of several accounts, which can share a login.
  let tokenRequests: Int?
  let retries: Int
  let waitedSeconds: Double
  let watermarkBefore: Nullable<Timestamp>
  let watermarkAfter: Nullable<Timestamp>
  package let retryAt: Nullable<Timestamp>
  /// The time zone in which instants became days; `null` if the provider sends days.
  let timeZone: Nullable<String>
  package let durationSeconds: Double
  /// The first unreadable records, which are reported on standard error.
  package let failures: [RowFailure]
  /// True if no time zone is known, so that days are those of UTC.
  package let lacksTimeZone: Bool
  /// The number of records that are stored now and not deleted, for the text.
  package let stored: Int
  /// The deletions that only a dry run lets pass, and the records of which they are.
  package let excess: SyncReport.ExcessDeletions?

  package struct Verification: Encodable {
    package let missing: Int
    package let different: Int
    package let surplus: Int

    init(_ counts: ChangeCounts) {
      missing = counts.inserted
      different = counts.updated
      surplus = counts.deleted
    }
  }

  private enum CodingKeys: CodingKey {
    case schemaVersion, account, resource, provider, result, ending, inserted, updated, unchanged
    case deleted, unreadable, newlyUnreadable, verification, changes, pages, requests,
      tokenRequests, retries
    case waitedSeconds, watermarkBefore, watermarkAfter, retryAt, timeZone, durationSeconds
  }

  package init(_ report: SyncReport, tokenRequests: Int?, stored: Int) {
    self.stored = stored
    excess = report.excessDeletions
    account = report.account
    resource = report.resource.rawValue
    provider = report.provider
    result = report.result.rawValue
    ending = Nullable(report.ending)
    inserted = report.counts.inserted
    updated = report.counts.updated
    unchanged = report.counts.unchanged
    deleted = report.counts.deleted
    unreadable = report.failureCount
    newlyUnreadable = report.newFailureCount
    failures = report.failures
    verification = Nullable(report.verification.map(Verification.init))
    changes =
      report.result == .dryRun ? report.changes.map(SyncChangeDocument.init) : nil
    pages = report.pages
    requests = report.requests
    self.tokenRequests = tokenRequests
    retries = report.retries
    waitedSeconds = report.waited.inSeconds
    watermarkBefore = Nullable(report.watermarkBefore)
    watermarkAfter = Nullable(report.watermarkAfter)
    retryAt = Nullable(report.retryAt)
    lacksTimeZone = report.dayZone == .unknown
    timeZone = Nullable(
      report.dayZone == .notNeeded
        ? nil : lacksTimeZone ? "UTC" : report.dayZone.timeZone.identifier)
    durationSeconds = report.duration.inSeconds
  }

  /// Creates the document of a run that has ended, with the number of records that are stored now.
  ///
  /// - Throws: `StorageError`.
  package init(
    _ report: SyncReport, tokenRequests: Int?, in core: ApplicationCore
  ) async throws {
    // A task of its own: a cancellation that comes after the end must not hide the report.
    let stored = Task {
      try await core.database().listedCount(of: report.resource, account: report.account)
    }
    self.init(report, tokenRequests: tokenRequests, stored: try await stored.value)
  }
}

extension Duration {
  /// The duration in seconds, to the millisecond.
  var inSeconds: Double {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Double(milliseconds) / 1_000
  }
}
