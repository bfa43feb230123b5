import Logging
import Networking
import SecureStore
import SystemSupport

// The storing of a new login in place of an earlier one.
extension AccountLogin {
  /// Stores a new login under the lock, replacing the previous one.
  func replaceLogin(
    _ make: (CredentialGeneration?) -> Credential, after signOuts: Int
  ) async throws -> Credential {
    // A renewal in progress uses the lock, either its own or the one kept for an unsaved pair.
    try await awaitRenewals()
    guard let lock = unsaved?.lock else {
      return try await store.lock.withLock { try await replaceRecord(make, after: signOuts) }
    }
    // This process already holds the lock, for a pair of the old login; this flight keeps renewals
    // from using it.
    let flight = SharedOutcome<Credential>()
    self.flight = flight
    signInLock = lock
    defer {
      signInLock = nil
      // A sign-out has given up the pair, and left the lock to this sign-in.
      if unsaved?.lock !== lock { lock.release() }
    }
    do {
      return try await replaceRecord(make, after: signOuts)
    } catch {
      if self.flight === flight { self.flight = nil }
      flight.resolve(.failure(error))
      throw error
    }
  }

  /// Stores a new login, unless a sign-out has ended the sign-in.
  ///
  /// If the sign-out still waits for the lock, it removes the pair that is stored here. Otherwise
  /// it may have removed the login before the pair was stored, so the pair is removed here.
  private func replaceRecord(
    _ make: (CredentialGeneration?) -> Credential, after signOuts: Int
  ) async throws -> Credential {
    let credential = make(try await replaceableRecord()?.generation)
    try requireNoSignOut(since: signOuts)
    // In a task of its own: a write that is given up could still reach the store, after the
    // sign-out has removed the login.
    try await Task { [store] in try await store.save(credential) }.value
    if self.signOuts != signOuts, signOutsAwaitingLock == 0 {
      store.notice.post(.signedOut(loginID: credential.loginID))
      _ = try await store.remove()
    }
    try requireNoSignOut(since: signOuts)
    return credential
  }

  /// Returns the stored record; `nil` also for one that cannot be read and that a sign-in replaces.
  private func replaceableRecord() async throws -> CredentialRecord? {
    do {
      return try await store.record()
    } catch AuthenticationError.signInRequired(_, .unreadable, _) {
      return nil
    } catch AuthenticationError.secretStoreUnavailable(_, .duplicate) {
      return nil
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      try await quarantineDamagedStore()
      return nil
    }
  }

  /// Renames a store that cannot be read at all, and logs that its logins are lost.
  func quarantineDamagedStore() async throws {
    guard let path = try await store.quarantineDamagedStore() else { return }
    log.error(
      "renamed the damaged login file; sign in to every account again",
      metadata: ["account": "\(name)", "path": "\(path)"])
  }
}
