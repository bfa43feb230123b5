import Foundation
import SystemSupport

extension LoginStore {
  /// Returns the active record, once no other process has an exchange in progress.
  ///
  /// This process holds the lock. An exchange elsewhere means that the lock's file was removed, so
  /// that two processes can hold it.
  ///
  /// - Throws: ``AuthenticationError/lockUnavailable(account:underlying:)`` after as long a wait as
  ///   for the lock.
  func recordAfterPeers(_ time: TimeSource) async throws -> CredentialRecord? {
    let deadline = time.uptime() + lock.timeout
    while true {
      let record = try await activeRecord()
      guard let pending = record?.pendingExchange, pending.isAnswered != true,
        pending.process != .current, pending.process.isAlive,
        time.wall().timeIntervalSince(pending.startedAt) < 120
      else { return record }
      // To send the token now could be the reuse that ends the login.
      guard time.uptime() < deadline else {
        throw AuthenticationError.lockUnavailable(
          account: account.name, underlying: FileLockError.heldElsewhere(path: lock.path))
      }
      try await time.sleep(.milliseconds(100))
    }
  }
}
