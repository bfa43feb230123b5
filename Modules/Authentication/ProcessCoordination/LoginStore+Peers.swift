import Foundation
import SystemSupport

extension LoginStore {
  /// Returns the active record, once no other process has an exchange in progress.
  ///
  /// This process holds the lock. An exchange elsewhere means that the lock's file was removed, so
  /// that two processes can hold it.
  func recordAfterPeers(_ time: TimeSource) async throws -> CredentialRecord? {
    let deadline = time.uptime() + lock.timeout
    while true {
      let record = try await activeRecord()
      guard let pending = record?.pendingExchange, pending.isAnswered != true,
        pending.process != .current, pending.process.isAlive,
        time.wall().timeIntervalSince(pending.startedAt) < 120, time.uptime() < deadline
      else { return record }
      try await time.sleep(.milliseconds(100))
    }
  }
}
