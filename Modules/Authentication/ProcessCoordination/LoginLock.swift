import SystemSupport

/// The lock between processes on one account's stored login.
///
/// This folder holds the rules that keep the processes of one user from spending the same refresh
/// token twice:
///
/// - ``LoginLock``: every change of the stored login happens under one `flock`.
/// - ``LoginNotice``: a file beside the lock that informs the other processes after a change.
/// - ``ProcessIdentity``: the process that began an exchange, and a test if it is still alive.
/// - `LoginStore+Peers` and `AccountLogin+Peers`: the reactions of this process to the others.
/// - ``StoreClaim``: one authenticator for each secure store within a process.
///
/// `SystemSupport.FileLock` is the lock itself. `CredentialRenewal` and `CredentialExchange`
/// document the work under it. `Tests/ProtocolModel` contains a model of the protocol that spin
/// explores; change both together.
struct LoginLock: Sendable {
  let account: String
  let path: String
  /// The longest wait for another process.
  let timeout: Duration

  init(account: String, folder: String, timeout: Duration) {
    self.account = account
    path = folder + "/auth-" + account + ".lock"
    self.timeout = timeout
  }

  /// The process that currently holds the lock.
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
