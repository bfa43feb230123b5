import HTTPTypes
import Logging
import Models
import Networking
import Storage
import Synchronization
import SystemSupport

/// The log of a run, for the user who follows it.
struct SyncLog: Sendable {
  private let log: Logger

  init(account: String, resource: Resource, logger: Logger) {
    var logger = logger
    logger[metadataKey: "account"] = "\(account)"
    logger[metadataKey: "resource"] = "\(resource)"
    log = logger
  }

  func begins(provider: String, isFull: Bool, since: Timestamp?) {
    var metadata: Logger.Metadata = ["provider": "\(provider)"]
    if let since, !isFull { metadata["since"] = "\(since)" }
    log.debug(
      isFull || since == nil ? "fetching everything" : "fetching changes",
      metadata: metadata)
  }

  func stored(
    page: Int, _ counts: ChangeCounts, unreadable: Int, storing: Duration
  ) {
    log.debug(
      "stored a page",
      metadata: [
        "page": "\(page)", "new": "\(counts.inserted)", "changed": "\(counts.updated)",
        "unchanged": "\(counts.unchanged)", "deleted": "\(counts.deleted)",
        "storing": "\(Self.text(storing))",
      ])
    guard unreadable > 0 else { return }
    log.warning(
      "cannot read rows of a page", metadata: ["page": "\(page)", "rows": "\(unreadable)"])
  }

  /// Logs that the server counts more records than the run has seen.
  ///
  /// Rows can move between pages that are read concurrently.
  func missed(_ count: Int) {
    log.notice(
      "the provider reports more records than were seen; reading the list again",
      metadata: ["records": "\(count)"])
  }

  func rejected(status: Int, _ message: String) {
    log.warning(
      "the provider rejected a request", metadata: ["status": "\(status)", "message": "\(message)"])
  }

  /// Logs that the next run resumes where this one failed, because its restart cannot be stored.
  func cannotRestart(_ error: any Error) {
    log.warning("cannot restart the list", metadata: ["error": "\(error)"])
  }

  func usesDaysInUTC() {
    log.notice("days are those of UTC, because the provider names no time zone")
  }

  /// Logs that the list is read again, because what an earlier run read may have changed.
  func repeats() {
    log.notice("an earlier run read part of the list; reading all of it again")
  }

  func ended(_ report: SyncReport) {
    if let ending = report.ending, [.rateLimit, .serverBusy].contains(ending) {
      log.notice(
        ending == .rateLimit ? "rate limit reached" : "the server asks to retry later",
        metadata: report.retryAt.map { ["retryAt": "\($0)"] })
    }
    log.debug(
      "finished the sync",
      metadata: [
        "result": "\(report.result.rawValue)", "pages": "\(report.pages)",
        "requests": "\(report.requests)", "retries": "\(report.retries)",
        "took": "\(Self.text(report.duration))",
      ])
  }

  /// Logs the kind of an error; the caller reports the error itself.
  func failed(_ error: any Error) {
    var metadata: Logger.Metadata = ["reason": "\(Self.reason(of: error))"]
    if let message = (error as? any ProviderMessageCarrying)?.providerMessage {
      metadata["message"] = "\(message)"
    }
    log.debug("stopped the sync", metadata: metadata)
  }

  /// Logs that the database does not say how the run ended, so that it looks as if its process had
  /// died.
  func leftRunOpen(_ error: any Error) {
    log.warning(
      "cannot record the end of the run", metadata: ["reason": "\(Self.reason(of: error))"])
  }

  func leftIndexes(_ error: any Error) {
    log.notice(
      "postponed an update of the search indexes", metadata: ["reason": "\(type(of: error))"])
  }

  /// Returns the text of an error; of an error whose text may hold anything, its type.
  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as SyncError: error.description
    case let error as SessionError: error.description
    case let error as StorageError: error.description
    default: "\(type(of: error))"
    }
  }

  private static func text(_ duration: Duration) -> String {
    "\(Int(clamping: duration / .milliseconds(1), rounding: .down))ms"
  }
}

/// The messages with which a server rejects requests, each logged once in a run.
final class ServerMessages: Sendable {
  private let log: SyncLog
  private let seen = Mutex<Set<String>>([])

  private static let limit = 5

  init(_ log: SyncLog) {
    self.log = log
  }

  func note(_ response: Response) {
    let status = response.head.status.code
    // The run's failure carries the words of others, or they are usual for a record that is gone.
    guard SyncError.isRejection(status), ![401, 403, 404, 410, 429].contains(status),
      let message = response.providerMessage?.text
    else { return }
    let isNew = seen.withLock { $0.count < Self.limit && $0.insert(message).inserted }
    if isNew { log.rejected(status: status, message) }
  }
}
