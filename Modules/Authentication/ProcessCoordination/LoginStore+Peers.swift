import Foundation
import SystemSupport

extension LoginStore {
  /// Returns the active record, once no other process has an exchange in progress.
  ///
  /// This process holds the lock. An exchange elsewhere means that the lock's file was removed, so
  /// that two processes can hold it.
  ///
  /// - Parameter exchangeLimit: the longest time for which an exchange goes on; one that has failed
  ///   may leave its entry behind.
  /// - Throws: ``AuthenticationError/lockUnavailable(account:underlying:)`` if one may still be in
  ///   progress after as long a wait as for the lock.
  func recordAfterPeers(
    _ time: TimeSource, exchangeLimit: Duration
  ) async throws -> CredentialRecord? {
    let deadline = time.uptime() + lock.timeout
    while true {
      let record = try await activeRecord()
      guard let pending = record?.pendingExchange, pending.isAnswered != true,
        pending.process != .current, pending.process.isAlive, sealedPair(of: record) == nil,
        // The answer may have come, and a slow keyring may be storing it.
        time.wall().timeIntervalSince(pending.lastSentAt)
          < (exchangeLimit + .seconds(60)) / .seconds(1)
      else { return record }
      if time.uptime() >= deadline {
        let age = time.wall().timeIntervalSince(pending.lastSentAt)
        guard age < exchangeLimit / .seconds(1) else { return record }
        // To send the token now could be the reuse that ends the login.
        throw AuthenticationError.lockUnavailable(
          account: account.name, underlying: FileLockError.heldElsewhere(path: lock.path))
      }
      try await time.sleep(.milliseconds(100))
    }
  }
}
