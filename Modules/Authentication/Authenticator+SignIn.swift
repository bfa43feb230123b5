import FileLocking
import Foundation
import Logging
import Networking
import SecureStore

extension Authenticator {
  /// Signs an account in, replacing a login that was there.
  ///
  /// - Throws: ``AuthenticationError``; `CancellationError` where the task is cancelled. A login
  ///   that was there before is kept unless the new one is stored.
  public func signIn(_ name: String, with method: SignInMethod) async throws -> AccountStatus {
    let account = try entry(name).account
    do {
      // A person should not approve a login that cannot be kept.
      _ = try await keeper.record(of: name)
    } catch AuthenticationError.signInRequired(_, .unreadable) {
      log.warning("an unreadable login will be replaced", metadata: ["account": "\(name)"])
    }
    let endpoint = try await endpoint(of: name)
    let response: TokenResponse
    do {
      switch method {
      case .clientCredentials:
        response = try await endpoint.exchange(.clientCredentials(scopes: account.scopes))
      case .authorizationCode(let delegate, let timeout):
        response = try await AuthorizationCodeFlow(
          account: account, endpoint: endpoint, delegate: delegate, timeout: timeout, time: time
        ).run()
      }
    } catch TokenEndpointError.grantEnded {
      throw AuthenticationError.signInFailed(account: name, reason: .refused(code: "invalid_grant"))
    } catch {
      throw classified(error, account: name)
    }
    let grant: Credential.Grant =
      if case .clientCredentials = method { .clientCredentials } else { .authorizationCode }
    let credential = try await store(response, grant: grant, account: account)
    install(credential, for: name)
    return status(of: name, credential: credential)
  }

  private func store(
    _ response: TokenResponse, grant: Credential.Grant, account: Account
  ) async throws -> Credential {
    try await withLock(on: account.name) {
      let previous = try? await keeper.record(of: account.name)
      let credential = Credential(
        response, after: previous?.generation, keeping: nil, scopes: account.scopes, grant: grant,
        now: time.wall())
      try await keeper.save(
        CredentialRecord(
          content: .active(credential),
          server: account.server.identity,
          clientID: account.client.id),
        for: account.name)
      return credential
    }
  }

  private func withLock<Value: Sendable>(
    on name: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await FileLock.withLock(at: lockPath(for: name), timeout: lockTimeout, body)
    } catch let error as FileLockError {
      throw AuthenticationError.lockUnavailable(account: name, underlying: error)
    }
  }

  private func install(_ credential: Credential, for name: String) {
    guard var entry = entries[name] else { return }
    entry.epoch += 1
    entry.flight?.resolve(.success(credential))
    entry.flight = nil
    entry.unsaved = nil
    entry.retryAt = nil
    entry.forcedRenewals = []
    entry.lease.install(credential, now: time.wall())
    entries[name] = entry
  }

  /// Signs an account out: waiters get an error, the login is removed, the server is told.
  ///
  /// Being offline does not stop it; the report says what could not be revoked.
  ///
  /// - Throws: ``AuthenticationError`` where the login could not be removed from the store.
  public func signOut(_ name: String) async throws -> SignOutReport {
    var entry = try entry(name)
    entry.epoch += 1
    entry.flight?.resolve(
      .failure(AuthenticationError.signInRequired(account: name, reason: .signedOut)))
    entry.flight = nil
    entry.unsaved = nil
    entry.lease.clear()
    entries[name] = entry

    let removed = try await removeRecord(of: name)
    guard case .active(let credential) = removed?.content else {
      return SignOutReport(wasSignedIn: removed != nil, isRevoked: false)
    }
    guard let endpoint = try? await endpoint(of: name) else {
      return SignOutReport(wasSignedIn: true, isRevoked: false)
    }
    // RFC 7009 2.1: revoking the refresh token ends the access tokens made from it as well.
    let isRevoked =
      if let refreshToken = credential.refreshToken {
        await endpoint.revoke(refreshToken, hint: "refresh_token")
      } else {
        await endpoint.revoke(credential.accessToken, hint: "access_token")
      }
    return SignOutReport(wasSignedIn: true, isRevoked: isRevoked)
  }

  /// Waits for a renewal in another process, so that it cannot bring the login back.
  private func removeRecord(of name: String) async throws -> CredentialRecord? {
    try await withLock(on: name) {
      let record: CredentialRecord?
      do {
        record = try await keeper.record(of: name)
      } catch AuthenticationError.signInRequired(_, .unreadable) {
        record = nil
      }
      _ = try await keeper.remove(name)
      return record
    }
  }

  /// How an account stands, from what is stored; nothing is renewed.
  ///
  /// - Throws: ``AuthenticationError``.
  public func status(of name: String) async throws -> AccountStatus {
    _ = try entry(name)
    guard let record = try await keeper.record(of: name) else {
      return AccountStatus(
        account: name, state: .signedOut, expiresAt: nil, obtainedAt: nil, scopes: [],
        generation: nil)
    }
    switch record.content {
    case .active(let credential):
      return status(of: name, credential: credential)
    case .ended(let generation, _):
      return AccountStatus(
        account: name, state: .rejected, expiresAt: nil, obtainedAt: nil, scopes: [],
        generation: generation.rawValue)
    }
  }

  private func status(of name: String, credential: Credential) -> AccountStatus {
    AccountStatus(
      account: name,
      state: credential.isUsable(at: time.wall()) ? .valid : .expired,
      expiresAt: credential.expiresAt, obtainedAt: credential.obtainedAt,
      scopes: credential.scopes, generation: credential.generation.rawValue)
  }
}
