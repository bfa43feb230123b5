import Foundation
import Glibc
import Synchronization
import SystemSupport

/// The lock between processes on one account's stored login.
///
/// This folder holds the rules that keep the processes of one user from spending the same refresh
/// token twice:
///
/// - ``LoginLock``: every change of the stored login happens under one `flock`.
/// - ``LoginNotice``: a file beside the lock that informs the other processes after a change.
/// - ``ProcessIdentity``: the process that began an exchange, and a test if it is still alive.
/// - `recordAfterPeers` and `noticeChanged`: the reactions of this process to the others.
/// - ``StoreClaim``: one authenticator for each secure store within a process.
///
/// `SystemSupport.FileLock` is the lock itself. `CredentialRenewal` and `CredentialExchange`
/// document the work under it. `Tests/ProtocolModel` contains a model of the protocol that spin
/// explores; change both together.
struct LoginLock: Sendable {
  let account: String
  let path: String
  let timeout: Duration

  init(account: String, folder: String, timeout: Duration) {
    self.account = account
    path = folder + "/auth-" + account + ".lock"
    self.timeout = timeout
  }

  var holder: Int32? { FileLock.holder(of: path) }

  /// Runs work under the lock.
  ///
  /// - Throws: ``AuthenticationError/lockUnavailable(account:underlying:)``, and the work's errors.
  func withLock<Value>(
    timeout: Duration? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    let lock = try await acquire(timeout: timeout ?? self.timeout)
    defer { lock.release() }
    return try await body()
  }

  /// Runs a renewal under the lock and keeps the lock while the result is unsaved.
  ///
  /// - Parameter kept: the lock, if this process kept it for an earlier unsaved result; a renewal
  ///   that fails then leaves it locked.
  /// - Throws: ``AuthenticationError/lockUnavailable(account:underlying:)``, and the renewal's
  ///   errors.
  func withLock(
    kept: HeldLock?, _ renew: (HeldLock) async throws -> RenewalOutcome
  ) async throws -> RenewalOutcome {
    let lock =
      if let kept { kept } else { try await acquire(timeout: timeout) }
    do {
      let outcome = try await renew(lock)
      if outcome.unsaved == nil { lock.release() }
      return outcome
    } catch {
      if kept == nil { lock.release() }
      throw error
    }
  }

  private func acquire(timeout: Duration) async throws -> HeldLock {
    do {
      return try await HeldLock.acquire(at: path, timeout: timeout)
    } catch let error as FileLockError {
      throw AuthenticationError.lockUnavailable(account: account, underlying: error)
    }
  }
}

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

/// A process, distinct from a later one with the same number.
struct ProcessIdentity: Sendable, Codable, Hashable {
  let processID: Int32
  /// The start of the process, in clock ticks since boot (proc(5), field 22 of `stat`).
  let startTime: UInt64

  static let current = ProcessIdentity(
    processID: getpid(), startTime: startTime(of: getpid()) ?? 0)

  init?(of processID: Int32) {
    guard let startTime = Self.startTime(of: processID) else { return nil }
    self.init(processID: processID, startTime: startTime)
  }

  private init(processID: Int32, startTime: UInt64) {
    self.processID = processID
    self.startTime = startTime
  }

  var isAlive: Bool { Self.startTime(of: processID) == startTime }

  private static func startTime(of processID: Int32) -> UInt64? {
    guard let line = KernelFile.text(at: "/proc/\(processID)/stat"),
      // The program's name is in brackets and may contain anything, so counting begins after it.
      let name = line.lastIndex(of: ")")
    else { return nil }
    let fields = line[name...].dropFirst().split(separator: " ")
    // Z: the process has ended, and its parent has not waited for it yet.
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return UInt64(fields[19])
  }
}

/// The right to be the process's one authenticator for a secure store; it ends when it is released,
/// with the last reference at the latest.
///
/// Two authenticators for one store would each hold an old refresh token and could spend it twice.
final class StoreClaim: Sendable {
  private static let claimed = Mutex<Set<String>>([])

  private let store: String
  private let isHeld = Mutex(true)

  /// Claims a store by its identity.
  ///
  /// - Throws: ``AuthenticationError/authenticatorExists(store:)``.
  init(_ store: String) throws {
    guard Self.claimed.withLock({ $0.insert(store).inserted }) else {
      throw AuthenticationError.authenticatorExists(store: store)
    }
    self.store = store
  }

  /// Gives the store to the next authenticator.
  ///
  /// Only an authenticator that begins no exchange any more may call it.
  func release() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    // Somebody else may have claimed the store since the first release.
    if wasHeld { Self.claimed.withLock { _ = $0.remove(store) } }
  }

  deinit { release() }
}
