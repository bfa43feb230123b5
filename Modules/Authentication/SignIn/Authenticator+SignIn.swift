import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

extension Authenticator {
  /// Signs an account in, replacing a login that was there.
  ///
  /// Whoever calls while a sign-in of the account is under way joins that one, whatever its method:
  /// the person is asked once. It ends when the last caller is cancelled.
  ///
  /// - Throws: ``AuthenticationError``; `CancellationError` where the task is cancelled. A login
  ///   that was there before is kept unless the new one is stored.
  public func signIn(_ name: String, with method: SignInMethod) async throws -> AccountStatus {
    try await joinSignIn(name, method).value()
  }

  /// Takes tokens that a front end obtained by itself, in place of a login that was there.
  ///
  /// - Throws: ``AuthenticationError``.
  public func setTokens(_ tokens: TokenSet, for name: String) async throws -> AccountStatus {
    try await signIn(name, with: .tokens(tokens))
  }

  private func joinSignIn(
    _ name: String, _ method: SignInMethod
  ) throws -> SharedTask<AccountStatus> {
    if let underWay = try entry(name).signIn, underWay.join() { return underWay }
    guard !admission.isClosed else { throw classified(AuthenticatorClosing(), account: name) }
    let signIn = SharedTask { try await self.perform(name, method) }
    _ = signIn.join()
    entries[name]?.signIn = signIn
    return signIn
  }

  private func perform(_ name: String, _ method: SignInMethod) async throws -> AccountStatus {
    let signIn = entries[name]?.signIn
    defer { if entries[name]?.signIn === signIn { entries[name]?.signIn = nil } }
    let account = try entry(name).account
    do {
      // A person should not approve a login that cannot be kept.
      _ = try await credentials.record(of: name)
    } catch AuthenticationError.signInRequired(_, .unreadable) {
      log.warning("an unreadable login will be replaced", metadata: ["account": "\(name)"])
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      // It is replaced once there is a login to store.
    }
    log.info(
      "signing in", metadata: ["account": "\(name)", "method": "\(method.grant.rawValue)"])
    let make: @Sendable (CredentialGeneration?) -> Credential
    let time = time
    if case .tokens(let tokens) = method {
      guard TokenResponse.canBeHeaderValue(tokens.accessToken) else {
        throw AuthenticationError.signInFailed(account: name, reason: .malformedToken)
      }
      make = { Credential(tokens, after: $0, grant: .provided, now: time.wall()) }
    } else {
      let (response, redirect) = try await response(name, account, method)
      make = {
        var credential = Credential(
          response, after: $0, scopes: account.scopes, grant: method.grant, now: time.wall())
        credential.redirect = redirect
        return credential
      }
    }
    entries[name]?.storingSignIn = signIn
    defer { if entries[name]?.storingSignIn === signIn { entries[name]?.storingSignIn = nil } }
    let credential = try await store(account, make)
    adopt(credential, for: name)
    // What can be renewed is kept; the next request tries.
    guard credential.hasAccessToken else {
      throw classified(TokenEndpointError.unusableToken, account: name)
    }
    return AccountStatus(
      account: name, record: CredentialRecord(.active(credential), of: account), now: time.wall())
  }

  private func response(
    _ name: String, _ account: Account, _ method: SignInMethod
  ) async throws -> (TokenResponse, Credential.Redirect?) {
    do {
      let endpoint = try await endpoint(of: name)
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
      throw classified(error, account: name)
    }
  }

  private func store(
    _ account: Account, _ make: @Sendable (CredentialGeneration?) -> Credential
  ) async throws -> Credential {
    let name = account.name
    // A renewal under way uses the lock, its own or the one that is kept for an unsaved pair.
    try await awaitFlights(of: name)
    guard entries[name]?.unsaved != nil else {
      return try await withLock(on: name) { try await replaceRecord(of: account, make) }
    }
    // The lock is ours already, for a pair of the old login; nothing else may use it meanwhile.
    let flight = SharedOutcome<Credential>()
    entries[name]?.flight = flight
    do {
      return try await replaceRecord(of: account, make)
    } catch {
      entries[name]?.flight = nil
      flight.resolve(.failure(error))
      throw error
    }
  }

  private func replaceRecord(
    of account: Account, _ make: @Sendable (CredentialGeneration?) -> Credential
  ) async throws -> Credential {
    let previous: CredentialRecord?
    do {
      previous = try await credentials.record(of: account.name)
    } catch {
      previous = nil
      if case AuthenticationError.secretStoreUnavailable(_, .damaged) = error {
        try await setDamagedAside(for: account.name)
      }
    }
    let credential = make(previous?.generation)
    try await credentials.save(
      CredentialRecord(.active(credential), of: account), for: account.name)
    return credential
  }

  /// Renames a store that nobody can read any more; what it held is lost here, and reported as such.
  func setDamagedAside(for name: String) async throws {
    guard let aside = try await credentials.setDamagedAside(name) else { return }
    log.error(
      "the file of the logins was damaged and has another name now; sign in every account again",
      metadata: ["account": "\(name)", "path": "\(aside)"])
  }

  func withLock<Value: Sendable>(
    on name: String, timeout: Duration? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await FileLock.withLock(
        at: lockPath(for: name), timeout: timeout ?? lockTimeout, body)
    } catch let error as FileLockError {
      throw AuthenticationError.lockUnavailable(account: name, underlying: error)
    }
  }

  private func adopt(_ credential: Credential, for name: String) {
    let flight = entries[name]?.flight
    entries[name]?.forget()
    entries[name]?.held = credential
    if let entry = entries[name] { install(credential, in: entry) }
    log.info("signed in", metadata: metadata(of: credential, account: name))
    notice.post(.stored(credential.generation), for: name)
    changes.send(
      CredentialChange(
        account: name, kind: .signedIn, generation: credential.generation.rawValue,
        expiresAt: credential.expiresAt))
    // Who waited for the old login's renewal goes on with the new login.
    flight?.resolve(.success(credential))
  }
}
