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
  /// Credentials that this process has in use and could not store yet.
  let unsaved: Credential?
  /// Whether the account is still signed in as it was when the renewal began.
  let isWanted: @Sendable () async -> Bool

  struct Outcome: Sendable {
    let credential: Credential
    /// Why it could not be stored, where it could not.
    let unsavedBecause: (any Error)?
  }

  /// Finds credentials that are usable and not `rejected`, renewing them where there are none.
  func run(rejected: CredentialGeneration?) async throws -> Outcome {
    if unsaved == nil, let credential = try await storedCredential(), isUsable(credential, rejected)
    {
      return Outcome(credential: credential, unsavedBecause: nil)
    }
    do {
      return try await FileLock.withLock(at: lockPath, timeout: lockTimeout) {
        try await runLocked(rejected: rejected)
      }
    } catch let error as FileLockError {
      throw AuthenticationError.lockUnavailable(account: account.name, underlying: error)
    }
  }

  private func runLocked(rejected: CredentialGeneration?) async throws -> Outcome {
    let stored = try await storedCredential()
    let current = [unsaved, stored].compactMap(\.self).max {
      $0.generation.rawValue < $1.generation.rawValue
    }
    guard let current else {
      throw AuthenticationError.signInRequired(account: account.name, reason: .notSignedIn)
    }
    guard isUsable(current, rejected) else { return try await exchange(current) }
    guard current.generation != stored?.generation else {
      return Outcome(credential: current, unsavedBecause: nil)
    }
    return await saving(current)
  }

  private func isUsable(_ credential: Credential, _ rejected: CredentialGeneration?) -> Bool {
    credential.generation != rejected && credential.isUsable(at: time.wall())
  }

  private func storedCredential() async throws -> Credential? {
    guard let record = try await keeper.record(of: account.name) else { return nil }
    guard record.server == account.server.identity, record.clientID == account.client.id
    else { throw AuthenticationError.signInRequired(account: account.name, reason: .otherServer) }
    switch record.content {
    case .active(let credential): return credential
    case .ended:
      throw AuthenticationError.signInRequired(account: account.name, reason: .rejected)
    }
  }

  private func exchange(_ current: Credential) async throws -> Outcome {
    let grant = try grant(for: current)
    let endpoint = try await endpoint()
    let response: TokenResponse
    do {
      response = try await endpoint.exchange(grant)
    } catch TokenEndpointError.grantEnded {
      // Only the generation that was refused is ended; a newer one would be somebody's new login.
      if let stored = try? await storedCredential(), stored.generation == current.generation {
        try? await save(.ended(current.generation, at: time.wall()))
      }
      throw AuthenticationError.signInRequired(account: account.name, reason: .rejected)
    }
    let renewed = Credential(
      response, after: current.generation, keeping: current.refreshToken, scopes: current.scopes,
      grant: current.grant, now: time.wall())
    guard await isWanted() else {
      // Signed out while the exchange was under way: what it brought is given back, not kept.
      _ = await endpoint.revoke(renewed.refreshToken ?? renewed.accessToken, hint: "refresh_token")
      throw AuthenticationError.signInRequired(account: account.name, reason: .signedOut)
    }
    return await saving(renewed)
  }

  private func grant(for current: Credential) throws -> TokenEndpoint.Grant {
    switch (current.grant, current.refreshToken) {
    case (.clientCredentials, _): return .clientCredentials(scopes: current.scopes)
    case (.authorizationCode, let token?): return .refreshToken(token)
    case (.authorizationCode, nil):
      throw AuthenticationError.signInRequired(account: account.name, reason: .notRenewable)
    }
  }

  /// Stores before anybody uses it.
  ///
  /// The old token is spent, so a failed save must not lose the new one: it is served from memory,
  /// and the caller is told.
  private func saving(_ credential: Credential) async -> Outcome {
    do {
      try await save(.active(credential))
      return Outcome(credential: credential, unsavedBecause: nil)
    } catch {
      return Outcome(credential: credential, unsavedBecause: error)
    }
  }

  private func save(_ content: CredentialRecord.Content) async throws {
    try await keeper.save(
      CredentialRecord(
        content: content, server: account.server.identity,
        clientID: account.client.id),
      for: account.name)
  }
}
