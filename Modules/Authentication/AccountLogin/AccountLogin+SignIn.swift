import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

extension AccountLogin {
  func signIn(with method: SignInMethod) async throws -> AccountStatus {
    try await joinSignIn(method).value()
  }

  private func joinSignIn(_ method: SignInMethod) throws -> SharedTask<AccountStatus> {
    if let signInTask, signInTask.join() { return signInTask }
    guard !admission.isClosed else {
      throw AuthenticationError.classified(AuthenticatorClosing(), account: name)
    }
    let signOuts = signOuts
    let task = SharedTask { try await self.performSignIn(method, after: signOuts) }
    _ = task.join()
    signInTask = task
    return task
  }

  /// Signs in.
  ///
  /// - Parameter signOuts: the number of sign-outs when the sign-in began; a later one ends it.
  private func performSignIn(
    _ method: SignInMethod, after signOuts: Int
  ) async throws -> AccountStatus {
    // If it was ended before it began, the account's sign-in is another one by now.
    try Task.checkCancellation()
    let task = signInTask
    defer { if signInTask === task { signInTask = nil } }
    try await checkStore()
    log.debug(
      "signing in", metadata: ["account": "\(name)", "method": "\(method.grant.rawValue)"])
    let make = try await newCredential(method)
    let credential: Credential
    do {
      storingSignIn = task
      defer { if storingSignIn === task { storingSignIn = nil } }
      credential = try await replaceLogin(make, for: task, after: signOuts)
      // A sign-out that began since then removes the pair.
      try requireNoSignOut(since: signOuts)
    } catch  where self.signOuts != signOuts {
      // Pasted tokens may serve elsewhere too.
      if method.grant != .provided { await revoke(make(nil)) }
      throw store.signInRequired(.signedOut)
    }
    try adopt(credential)
    // The refresh token is kept even without an access token; the next request renews.
    guard credential.hasAccessToken else {
      throw AuthenticationError.classified(TokenEndpointError.unusableToken, account: name)
    }
    return AccountStatus(
      account: name, record: CredentialRecord(.active(credential), of: account), now: time.wall())
  }

  private func requireNoSignOut(since signOuts: Int) throws {
    guard self.signOuts == signOuts else { throw store.signInRequired(.signedOut) }
  }

  private func revoke(_ credential: Credential) async {
    // In a task of its own, since the sign-in is cancelled.
    await Task {
      let isRevoked = try? await time.bounded(by: Self.revocationTimeout) {
        await (try self.endpoint()).revoke(credential)
      }
      guard isRevoked != true else { return }
      log.warning("cannot revoke the tokens of an ended sign-in", metadata: ["account": "\(name)"])
    }.value
  }

  /// Checks that the store responds: the user should not approve a login that cannot be stored.
  private func checkStore() async throws {
    do {
      _ = try await store.record()
    } catch AuthenticationError.signInRequired(_, .unreadable, _) {
      log.warning("replacing a damaged login", metadata: ["account": "\(name)"])
    } catch AuthenticationError.secretStoreUnavailable(_, .duplicate(let count)) {
      log.warning(
        "replacing several logins", metadata: ["account": "\(name)", "count": "\(count)"])
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      // The store is replaced once there is a login to store.
    }
  }

  /// Obtains tokens, and returns a function that makes them the generation after another.
  private func newCredential(
    _ method: SignInMethod
  ) async throws -> (CredentialGeneration?) -> Credential {
    let (account, time) = (account, time)
    var redirect: Credential.Redirect?
    let response: TokenResponse
    switch method {
    case .authorizationCode(let delegate, let timeout):
      (response, redirect) = try await obtaining {
        try await AuthorizationCodeFlow(
          account: account, endpoint: $0, delegate: delegate, timeout: timeout, time: time
        ).run()
      }
    case .deviceCode(let delegate):
      response = try await obtaining {
        try await DeviceAuthorizationFlow(
          account: account, endpoint: $0, delegate: delegate, time: time
        ).run()
      }
    case .clientCredentials:
      response = try await obtaining {
        try await $0.exchange(.clientCredentials(scopes: account.scopes))
      }
    case .tokens(let tokens):
      guard TokenResponse.canBeHeaderValue(tokens.accessToken) else {
        throw AuthenticationError.signInFailed(account: name, reason: .malformedToken)
      }
      return { Credential(tokens, after: $0, grant: .provided, now: time.wall()) }
    }
    return { [redirect] in
      var credential = Credential(
        response, after: $0, scopes: account.scopes, grant: method.grant, now: time.wall())
      credential.redirect = redirect
      return credential
    }
  }

  private func obtaining<Tokens>(
    _ ask: (TokenEndpoint) async throws -> Tokens
  ) async throws -> Tokens {
    do {
      return try await ask(try await endpoint())
    } catch TokenEndpointError.grantEnded(let refusal), TokenEndpointError.unexplained(let refusal)
    {
      throw refused(refusal)
    } catch TokenEndpointError.refused(let refusal)
      where !TokenEndpointError.isAboutClient(refusal)
    {
      throw refused(refusal)
    } catch is NotOffered {
      throw AuthenticationError.signInFailed(account: name, reason: .notOffered)
    } catch {
      throw AuthenticationError.classified(error, account: name)
    }
  }

  private func refused(_ refusal: ServerRefusal) -> AuthenticationError {
    .signInFailed(
      account: name, reason: .refused(code: refusal.code ?? "status \(refusal.status)"),
      message: refusal.message)
  }

  private func adopt(_ credential: Credential) throws {
    reportDirectly(.signedIn, credential)
    let flight = flight
    forget()
    // Another process may have signed out since the login was stored.
    guard !store.isSignedOut(credential) else {
      let error = store.signInRequired(.signedOut)
      flight?.resolve(.failure(error))
      throw error
    }
    latest = credential
    install(credential)
    log.debug("signed in", metadata: metadata(of: credential))
    // Callers that waited for the old login's renewal continue with the new login.
    flight?.resolve(.success(credential))
  }
}

// The storing of a new login in place of an earlier one.
extension AccountLogin {
  private func replaceLogin(
    _ make: (CredentialGeneration?) -> Credential, for task: SharedTask<AccountStatus>?,
    after signOuts: Int
  ) async throws -> Credential {
    // A renewal in progress uses the lock, either its own or the one kept for an unsaved pair.
    try await awaitRenewals()
    guard let lock = unsaved?.lock else {
      return try await store.lock.withLock {
        try await replaceRecord(make, for: task, after: signOuts)
      }
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
      return try await replaceRecord(make, for: task, after: signOuts)
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
    _ make: (CredentialGeneration?) -> Credential, for task: SharedTask<AccountStatus>?,
    after signOuts: Int
  ) async throws -> Credential {
    let credential = make(try await replaceableRecord()?.generation)
    try requireNoSignOut(since: signOuts)
    try task?.holdWaiters()
    // In a task of its own: a write that is given up could still reach the store, after the
    // sign-out has removed the login.
    try await Task { [store] in try await store.save(credential) }.value
    if self.signOuts != signOuts, signOutsAwaitingLock == 0 {
      store.notice.postSignOut(loginID: credential.loginID)
      _ = try await store.remove()
    }
    try requireNoSignOut(since: signOuts)
    store.notice.post(.signedIn, credential)
    return credential
  }

  /// Returns the stored record; `nil` also for one that cannot be read and that a sign-in replaces.
  private func replaceableRecord() async throws -> CredentialRecord? {
    do {
      return try await store.record()
    } catch AuthenticationError.signInRequired(_, .unreadable, _),
      AuthenticationError.secretStoreUnavailable(_, .duplicate)
    {
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
