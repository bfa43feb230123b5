import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

extension AccountLogin {
  /// Signs in, or joins the sign-in in progress.
  func signIn(with method: SignInMethod) async throws -> AccountStatus {
    try await joinSignIn(method).value()
  }

  private func joinSignIn(_ method: SignInMethod) throws -> SharedTask<AccountStatus> {
    if let signInTask, signInTask.join() { return signInTask }
    guard !admission.isClosed else {
      throw AuthenticationError.classified(AuthenticatorClosing(), account: name)
    }
    let task = SharedTask { try await self.performSignIn(method) }
    _ = task.join()
    signInTask = task
    return task
  }

  private func performSignIn(_ method: SignInMethod) async throws -> AccountStatus {
    let task = signInTask
    defer { if signInTask === task { signInTask = nil } }
    try await checkStore()
    log.debug(
      "signing in", metadata: ["account": "\(name)", "method": "\(method.grant.rawValue)"])
    let make = try await newCredential(method)
    storingSignIn = task
    defer { if storingSignIn === task { storingSignIn = nil } }
    let credential = try await replaceLogin(make)
    adopt(credential)
    // The refresh token is kept even without an access token; the next request renews.
    guard credential.hasAccessToken else {
      throw AuthenticationError.classified(TokenEndpointError.unusableToken, account: name)
    }
    return AccountStatus(
      account: name, record: CredentialRecord(.active(credential), of: account), now: time.wall())
  }

  /// Checks that the store responds: the user should not approve a login that cannot be stored.
  private func checkStore() async throws {
    do {
      _ = try await store.record()
    } catch AuthenticationError.signInRequired(_, .unreadable) {
      log.warning("replacing a damaged login", metadata: ["account": "\(name)"])
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      // The store is replaced once there is a login to store.
    }
  }

  /// Obtains tokens, and returns a function that makes them the generation after another.
  private func newCredential(
    _ method: SignInMethod
  ) async throws -> (CredentialGeneration?) -> Credential {
    let (account, time) = (account, time)
    if case .tokens(let tokens) = method {
      guard TokenResponse.canBeHeaderValue(tokens.accessToken) else {
        throw AuthenticationError.signInFailed(account: name, reason: .malformedToken)
      }
      return { Credential(tokens, after: $0, grant: .provided, now: time.wall()) }
    }
    let (response, redirect) = try await response(method)
    return {
      var credential = Credential(
        response, after: $0, scopes: account.scopes, grant: method.grant, now: time.wall())
      credential.redirect = redirect
      return credential
    }
  }

  private func response(
    _ method: SignInMethod
  ) async throws -> (TokenResponse, Credential.Redirect?) {
    do {
      let endpoint = try await endpoint()
      switch method {
      case .authorizationCode(let delegate, let timeout):
        return try await AuthorizationCodeFlow(
          account: account, endpoint: endpoint, delegate: delegate, timeout: timeout, time: time
        ).run()
      case .deviceCode(let delegate):
        let flow = DeviceAuthorizationFlow(
          account: account, endpoint: endpoint, delegate: delegate, time: time)
        return (try await flow.run(), nil)
      case .clientCredentials, .tokens:
        return (try await endpoint.exchange(.clientCredentials(scopes: account.scopes)), nil)
      }
    } catch TokenEndpointError.grantEnded {
      throw AuthenticationError.signInFailed(account: name, reason: .refused(code: "invalid_grant"))
    } catch is NotOffered {
      throw AuthenticationError.signInFailed(account: name, reason: .notOffered)
    } catch {
      throw AuthenticationError.classified(error, account: name)
    }
  }

  /// Stores a new login under the lock, replacing the previous one.
  private func replaceLogin(
    _ make: (CredentialGeneration?) -> Credential
  ) async throws -> Credential {
    // A renewal in progress uses the lock, either its own or the one kept for an unsaved pair.
    try await awaitRenewals()
    guard unsaved != nil else {
      return try await store.lock.withLock { try await replaceRecord(make) }
    }
    // This process already holds the lock, for a pair of the old login; this flight keeps renewals
    // from using it.
    let flight = SharedOutcome<Credential>()
    self.flight = flight
    do {
      return try await replaceRecord(make)
    } catch {
      self.flight = nil
      flight.resolve(.failure(error))
      throw error
    }
  }

  private func replaceRecord(
    _ make: (CredentialGeneration?) -> Credential
  ) async throws -> Credential {
    let previous: CredentialRecord?
    do {
      previous = try await store.record()
    } catch {
      previous = nil
      if case AuthenticationError.secretStoreUnavailable(_, .damaged) = error {
        try await quarantineDamagedStore()
      }
    }
    let credential = make(previous?.generation)
    try await store.save(credential)
    return credential
  }

  /// Renames a store that cannot be read at all, and logs that its logins are lost.
  func quarantineDamagedStore() async throws {
    guard let path = try await store.quarantineDamagedStore() else { return }
    log.error(
      "renamed the damaged login file; sign in to every account again",
      metadata: ["account": "\(name)", "path": "\(path)"])
  }

  private func adopt(_ credential: Credential) {
    let flight = flight
    forget()
    latest = credential
    install(credential)
    log.debug("signed in", metadata: metadata(of: credential))
    store.notice.post(.stored(credential.generation))
    changes.send(
      CredentialChange(
        account: name, kind: .signedIn, generation: credential.generation.rawValue,
        expiresAt: credential.expiresAt))
    // Callers that waited for the old login's renewal continue with the new login.
    flight?.resolve(.success(credential))
  }
}
