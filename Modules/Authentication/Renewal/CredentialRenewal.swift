import Foundation
import Networking
import SecureStore
import SystemSupport

/// One renewal of one account: read again, and only if need be exchange and store, under the lock
/// that all processes share.
///
/// The lock is held over re-read, exchange and store. Re-reading before the exchange alone is not
/// enough: the window in which another process can spend the same token is the network call. A pair
/// that cannot be stored keeps the lock: another process would find the old token, and spend it again.
struct CredentialRenewal: Sendable {
  let account: Account
  let credentials: CredentialStore
  let notice: CredentialNotice
  /// Finds the endpoint, which may need the network; asked only when there is something to exchange.
  let endpoint: @Sendable () async throws -> TokenEndpoint
  /// Asked before an exchange begins.
  let admission: ExchangeAdmission
  let lockPath: String
  let lockTimeout: Duration
  /// How long a request to the token endpoint can live.
  let requestLimit: Duration
  let time: TimeSource
  /// The newest credential that this process has seen.
  let held: Credential?
  /// The lock, where this process kept it because that credential could not be stored.
  let heldLock: HeldLock?
  /// A credential whose time is up by this process's own clock, whatever the wall clock says.
  let ended: CredentialGeneration?
  /// Whether the account is still signed in as it was when the renewal began.
  let isWanted: @Sendable () async -> Bool

  struct Outcome: Sendable {
    let credential: Credential
    /// Whether this renewal made it, rather than found it.
    var isNew = false
    var unsaved: Unsaved?
  }

  /// A credential that could not be stored.
  struct Unsaved: Sendable {
    let reason: any Error
    /// Held until it is stored.
    let lock: HeldLock
  }

  /// Finds credentials that serve the purpose, renewing them where there are none.
  func run(_ purpose: RenewalPurpose) async throws -> Outcome {
    if let tokens = account.providedTokens {
      let provided = held ?? Credential(tokens, after: nil, grant: .provided, now: time.wall())
      guard isGoodEnough(provided, purpose) else {
        throw AuthenticationError.signInRequired(account: account.name, reason: .notRenewable)
      }
      return Outcome(credential: provided)
    }
    if let record = try await storedRecord(), case .active(let stored) = record.content,
      isGoodEnough(stored, purpose), !isOlderThanHeld(stored)
    {
      return Outcome(credential: stored)
    }
    return try await withLock { lock in try await runLocked(purpose, lock) }
  }

  /// Stores what this process holds and could not store before, unless something newer is there.
  ///
  /// - Throws: ``AuthenticationError/signInRequired(account:reason:)`` where the login was signed out
  ///   meanwhile: what is held is given back then.
  func saveHeld() async throws {
    guard let held else { return }
    _ = try await withLock { lock in
      guard let stored = try await storedRecord() else { throw await signedOut(held) }
      guard stored.generation.rawValue < held.generation.rawValue else {
        return Outcome(credential: held)
      }
      let outcome = await saving(held, lock)
      if let unsaved = outcome.unsaved { throw unsaved.reason }
      guard !notice.hasSignedOut(held.login, of: account.name) else {
        _ = try? await credentials.remove(account.name)
        throw await signedOut(held)
      }
      return outcome
    }
  }

  private func signedOut(_ credential: Credential) async -> AuthenticationError {
    await revoke(credential)
    return .signInRequired(account: account.name, reason: .signedOut)
  }

  /// Tells the server that tokens are not wanted any more.
  func revoke(_ credential: Credential) async {
    guard let endpoint = try? await endpoint() else { return }
    if let token = credential.refreshToken {
      _ = await endpoint.revoke(token, hint: "refresh_token")
    } else {
      _ = await endpoint.revoke(credential.accessToken, hint: "access_token")
    }
  }

  /// Lets go of the lock at the end, unless what came out still has to be stored.
  private func withLock(_ body: (HeldLock) async throws -> Outcome) async throws -> Outcome {
    let lock: HeldLock
    do {
      if let heldLock {
        lock = heldLock
      } else {
        lock = try await HeldLock.acquire(at: lockPath, timeout: lockTimeout)
      }
    } catch let error as FileLockError {
      throw AuthenticationError.lockUnavailable(account: account.name, underlying: error)
    }
    do {
      let outcome = try await body(lock)
      if outcome.unsaved == nil { lock.release() }
      return outcome
    } catch {
      if heldLock == nil { lock.release() }
      throw error
    }
  }

  private func runLocked(_ purpose: RenewalPurpose, _ lock: HeldLock) async throws -> Outcome {
    guard let record = try await recordAfterOthers(), case .active(let stored) = record.content
    else {
      throw AuthenticationError.signInRequired(account: account.name, reason: .notSignedIn)
    }
    // What this process holds can be newer than what is stored: it could not be stored, or a write
    // that was given up on came through late and put back an older one.
    let isHeldNewer = isOlderThanHeld(stored)
    let current = isHeldNewer ? held ?? stored : stored
    guard !isGoodEnough(current, purpose) else {
      return isHeldNewer ? await saving(current, lock) : Outcome(credential: current)
    }
    return try await CredentialExchange(
      renewal: self, current: current, record: record, purpose: purpose, lock: lock
    ).run()
  }

  func isGoodEnough(_ credential: Credential, _ purpose: RenewalPurpose) -> Bool {
    credential.generation != ended && purpose.accepts(credential, at: time.wall())
  }

  private func isOlderThanHeld(_ stored: Credential) -> Bool {
    held.map {
      $0.login == stored.login && $0.generation.rawValue > stored.generation.rawValue
    } ?? false
  }

  /// The record, after waiting for a process whose exchange is under way although the lock is ours:
  /// somebody has removed the lock's file, so that two could hold it.
  private func recordAfterOthers() async throws -> CredentialRecord? {
    let deadline = time.uptime() + lockTimeout
    while true {
      let record = try await storedRecord()
      guard let pendingExchange = record?.pendingExchange, pendingExchange.isAnswered != true,
        pendingExchange.process != .current, pendingExchange.process.isAlive,
        time.wall().timeIntervalSince(pendingExchange.startedAt) < 120, time.uptime() < deadline
      else { return record }
      try await time.sleep(.milliseconds(100))
    }
  }

  /// The record of this account, of this server and client, that has not ended.
  func storedRecord() async throws -> CredentialRecord? {
    guard let record = try await credentials.record(of: account.name) else { return nil }
    guard record.belongs(to: account) else {
      throw AuthenticationError.signInRequired(account: account.name, reason: .otherServer)
    }
    switch record.content {
    case .ended(_, _, let reason):
      throw AuthenticationError.signInRequired(account: account.name, reason: reason)
    // A late write can bring back what a sign-out removed; it does not count.
    case .active(let credential):
      return notice.hasSignedOut(credential.login, of: account.name) ? nil : record
    }
  }

  /// Stores before anybody uses it.
  ///
  /// The old token is spent, so a failed save must not lose the new one: it is served from memory,
  /// and the caller is told.
  func saving(_ credential: Credential, isNew: Bool = false, _ lock: HeldLock) async -> Outcome {
    do {
      try await credentials.save(
        CredentialRecord(.active(credential), of: account), for: account.name)
      return Outcome(credential: credential, isNew: isNew)
    } catch {
      return Outcome(
        credential: credential, isNew: isNew, unsaved: Unsaved(reason: error, lock: lock))
    }
  }
}
