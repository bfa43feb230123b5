import FileLocking
import Foundation
import Networking
import SecureStore

/// One renewal of one account: read again, and only if need be exchange and store, under the lock
/// that all processes share.
///
/// The lock is held over re-read, exchange and store. Re-reading before the exchange alone is not
/// enough: the window in which another process can spend the same token is the network call.
struct CredentialRenewal: Sendable {
  let account: Account
  let keeper: CredentialKeeper
  /// Finds the endpoint, which may need the network; asked only when there is something to exchange.
  let endpoint: @Sendable () async throws -> TokenEndpoint
  let lockPath: String
  let lockTimeout: Duration
  let time: TimeSource
  /// The newest credential that this process has seen.
  let held: Credential?
  /// A credential whose time is up by this process's own clock, whatever the wall clock says.
  let ended: CredentialGeneration?
  /// Whether the account is still signed in as it was when the renewal began.
  let isWanted: @Sendable () async -> Bool

  struct Outcome: Sendable {
    let credential: Credential
    /// Whether this renewal made it, rather than found it.
    var isNew = false
    /// Why it could not be stored, where it could not.
    var unsavedBecause: (any Error)?
  }

  /// Finds credentials that serve the purpose, renewing them where there are none.
  func run(_ purpose: RenewalPurpose) async throws -> Outcome {
    if let record = try await storedRecord(), case .active(let stored) = record.content,
      isGoodEnough(stored, purpose), !isOlderThanHeld(stored)
    {
      return Outcome(credential: stored)
    }
    do {
      return try await FileLock.withLock(at: lockPath, timeout: lockTimeout) {
        try await runLocked(purpose)
      }
    } catch let error as FileLockError {
      throw AuthenticationError.lockUnavailable(account: account.name, underlying: error)
    }
  }

  private func runLocked(_ purpose: RenewalPurpose) async throws -> Outcome {
    guard let record = try await recordAfterOthers(), case .active(let stored) = record.content
    else {
      throw AuthenticationError.signInRequired(account: account.name, reason: .notSignedIn)
    }
    // What this process holds can be newer than what is stored: it could not be stored, or a write
    // that was given up on came through late and put back an older one.
    let isHeldNewer = isOlderThanHeld(stored)
    let current = isHeldNewer ? held ?? stored : stored
    guard !isGoodEnough(current, purpose) else {
      return isHeldNewer
        ? await saving(current, isNew: false) : Outcome(credential: current)
    }
    return try await CredentialExchange(
      renewal: self, current: current, record: record, purpose: purpose
    ).run()
  }

  /// Stores what this process holds and could not store before, unless something newer is there.
  func saveHeld() async throws {
    guard let held else { return }
    try await FileLock.withLock(at: lockPath, timeout: lockTimeout) {
      // No record means that somebody has signed out; that is not undone.
      guard let stored = try await keeper.record(of: account.name),
        stored.generation.rawValue < held.generation.rawValue
      else { return }
      try await keeper.save(CredentialRecord(.active(held), of: account), for: account.name)
    }
  }

  func isGoodEnough(_ credential: Credential, _ purpose: RenewalPurpose) -> Bool {
    credential.generation != ended && purpose.accepts(credential, at: time.wall())
  }

  private func isOlderThanHeld(_ stored: Credential) -> Bool {
    held.map { $0.generation.rawValue > stored.generation.rawValue } ?? false
  }

  /// The record, after waiting for a process whose exchange is under way although the lock is ours:
  /// somebody has removed the lock's file, so that two could hold it.
  private func recordAfterOthers() async throws -> CredentialRecord? {
    let deadline = time.uptime() + lockTimeout
    while true {
      let record = try await storedRecord()
      guard let spending = record?.spending, spending.process != .current,
        spending.process.isAlive, time.wall().timeIntervalSince(spending.startedAt) < 120,
        time.uptime() < deadline
      else { return record }
      try await time.sleep(.milliseconds(100))
    }
  }

  /// The record of this account, of this server and client, that has not ended.
  func storedRecord() async throws -> CredentialRecord? {
    guard let record = try await keeper.record(of: account.name) else { return nil }
    guard record.belongs(to: account) else {
      throw AuthenticationError.signInRequired(account: account.name, reason: .otherServer)
    }
    if case .ended(_, _, let reason) = record.content {
      throw AuthenticationError.signInRequired(account: account.name, reason: reason)
    }
    return record
  }

  /// Stores before anybody uses it.
  ///
  /// The old token is spent, so a failed save must not lose the new one: it is served from memory,
  /// and the caller is told.
  func saving(_ credential: Credential, isNew: Bool) async -> Outcome {
    do {
      try await keeper.save(CredentialRecord(.active(credential), of: account), for: account.name)
      return Outcome(credential: credential, isNew: isNew)
    } catch {
      return Outcome(credential: credential, isNew: isNew, unsavedBecause: error)
    }
  }
}
