import Models
import Sync

/// What `appcore sync invoices` prints.
struct SyncReportDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let provider: String
  let result: String
  let inserted: Int
  let updated: Int
  let unchanged: Int
  let deleted: Int
  let unreadable: Int
  let pages: Int
  let requests: Int
  let tokenRequests: Int
  let retries: Int
  let waitedSeconds: Double
  let watermarkBefore: Nullable<Timestamp>
  let watermarkAfter: Nullable<Timestamp>
  let retryAt: Nullable<Timestamp>
  let durationSeconds: Double

  init(_ report: SyncReport, tokenRequests: Int) {
    account = report.account
    provider = report.provider
    result = report.result.rawValue
    inserted = report.inserted
    updated = report.updated
    unchanged = report.unchanged
    deleted = report.deleted
    unreadable = report.failures.count
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
    if let retryAt = retryAt.value { text += "\nThe server asks to come back at \(retryAt)." }
    return text
  }
}

extension Duration {
  /// Seconds, to the millisecond.
  fileprivate var inSeconds: Double {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Double(milliseconds) / 1_000
  }
}
