import Models
import Storage
import Sync

/// The document that a sync prints.
struct SyncReportDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let resource: String
  let provider: String
  let result: String
  /// The reason why the run is partial: `unreadable`, `rate-limit`, `duration`, `limit` or
  /// `continued`.
  let ending: Nullable<SyncReport.Ending>
  let inserted: Int
  let updated: Int
  let unchanged: Int
  let deleted: Int
  let unreadable: Int
  /// The differences that a comparison with the server found and corrected.
  let verification: Nullable<Verification>
  /// The changes that a dry run reports; absent for other runs.
  let changes: [SyncChangeDocument]?
  let pages: Int
  let requests: Int
  let tokenRequests: Int
  let retries: Int
  let waitedSeconds: Double
  let watermarkBefore: Nullable<Timestamp>
  let watermarkAfter: Nullable<Timestamp>
  let retryAt: Nullable<Timestamp>
  let durationSeconds: Double
  /// The first unreadable records, which are reported on standard error.
  let failures: [RowFailure]

  struct Verification: Encodable {
    let missing: Int
    let different: Int
    let surplus: Int

    init(_ counts: ChangeCounts) {
      missing = counts.inserted
      different = counts.updated
      surplus = counts.deleted
    }
  }

  private enum CodingKeys: CodingKey {
    case schemaVersion, account, resource, provider, result, ending, inserted, updated, unchanged
    case deleted, unreadable, verification, changes, pages, requests, tokenRequests, retries
    case waitedSeconds, watermarkBefore, watermarkAfter, retryAt, durationSeconds
  }

  init(_ report: SyncReport, tokenRequests: Int) {
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
    durationSeconds = report.duration.inSeconds
  }

  var text: String {
    var text =
      "\(result): \(inserted) new, \(updated) changed, \(unchanged) unchanged, \(deleted) deleted"
    if unreadable > 0 { text += ", \(unreadable) unreadable" }
    text += " (\(pages) pages, \(requests) requests, \(durationSeconds) s)"
    if let found = verification.value {
      text +=
        "\nCompared with the server: \(found.missing) were missing, \(found.different) different, \(found.surplus) too many."
    }
    for change in changes?.prefix(20) ?? [] {
      text += "\n" + change.text
    }
    if let changes, changes.count > 20 { text += "\n  and \(changes.count - 20) more; see --json" }
    switch ending.value {
    case .rateLimit:
      if let retryAt = retryAt.value {
        text += "\nThe server, or the limit it publishes, asks to come back at \(retryAt)."
      }
    case .duration: text += "\nThe time is up; \(continuation)."
    case .limit: text += "\nThat is as many as were asked for; \(continuation)."
    case .continued:
      text +=
        "\nThe list was read to its end, but not in one piece; the next run reads all of it again."
    case .unreadable, nil: break
    }
    return text
  }

  private var isDryRun: Bool { changes != nil }
  private var continuation: String {
    isDryRun ? "what a dry run has read is not kept" : "the next run goes on from there"
  }
  private var stored: String {
    isDryRun ? "Nothing is stored by a dry run" : "What was read is stored"
  }

  /// The failure that reports why the run is partial; `nil` if it is complete.
  var failure: Failure? {
    guard let ending = ending.value else { return nil }
    var failure = failure(ending)
    failure.resource = resource
    if ending == .unreadable { failure.records = failures }
    return failure
  }

  private func failure(_ ending: SyncReport.Ending) -> Failure {
    switch ending {
    case .unreadable:
      Failure(
        .unreadableData, "unreadable-data", "\(unreadable) of the \(resource) cannot be read",
        "The others are stored; the next run tries these again.")
    case .rateLimit:
      Failure(
        .tryAgainLater, "rate-limited",
        "the server, or the limit it publishes, asks to come back later",
        stored + "." + (retryAt.value.map { " Run it again at \($0)" } ?? " Run it again")
          + ", or allow a longer --max-wait.")
    case .duration, .limit:
      Failure(
        .tryAgainLater, "budget-spent", "the run has read as much as it was allowed to",
        stored + "; \(continuation).")
    case .continued:
      Failure(
        .tryAgainLater, "budget-spent", "the list was read to its end, but not by one run",
        stored + "; a run that may read the whole list is complete.")
    }
  }
}

extension Duration {
  /// The duration in seconds, to the millisecond.
  fileprivate var inSeconds: Double {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Double(milliseconds) / 1_000
  }
}
