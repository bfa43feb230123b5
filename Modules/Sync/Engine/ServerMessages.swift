import HTTPTypes
import Networking
import Synchronization

/// The messages with which a server rejects requests, each logged once in a run.
final class ServerMessages: Sendable {
  private let log: SyncLog
  private let seen = Mutex<Set<String>>([])

  /// The largest number of messages that one run logs.
  private static let limit = 5

  init(_ log: SyncLog) {
    self.log = log
  }

  /// Logs the message of a response, if its status says that the request itself is wrong.
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
