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
        "\nCompared with the server: \(found.missing) missing, \(found.different) different, "
        + "\(found.surplus) surplus."
    }
    for change in changes?.prefix(20) ?? [] {
      text += "\n" + change.text
    }
    if let changes, changes.count > 20 { text += "\n  and \(changes.count - 20) more; see --json" }
    switch ending.value {
    case .rateLimit:
      if let retryAt = retryAt.value {
        text += "\nRate limit reached; try again at \(retryAt)."
      }
    case .duration: text += "\nStopped after --max-duration; \(continuation)."
    case .limit: text += "\nStopped after --limit records; \(continuation)."
    case .continued:
      text +=
        "\nSeveral runs read this list in parts; the next run reads all of it again."
    case .unreadable, nil: break
    }
    return text
  }

  private var isDryRun: Bool { changes != nil }
  private var continuation: String {
    isDryRun ? "a dry run stores nothing" : "the next sync continues from here"
  }
  private var stored: String {
    isDryRun ? "A dry run stores nothing" : "What was read is stored"
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
        .unreadableData, "unreadable-data", "cannot read \(unreadable) of the \(resource)",
        "The others are stored; the next sync tries these again.")
    case .rateLimit:
      Failure(
        .tryAgainLater, "rate-limited",
        "rate limit reached",
        stored + "." + (retryAt.value.map { " Run it again at \($0)" } ?? " Run it again later")
          + ", or allow a longer --max-wait.")
    case .duration, .limit:
      Failure(
        .tryAgainLater, "budget-spent", "the run reached --limit or --max-duration",
        stored + "; \(continuation).")
    case .continued:
      Failure(
        .tryAgainLater, "budget-spent", "several runs read the list in parts",
        stored + "; run it again without --limit and --max-duration to complete it.")
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
