import Foundation
import Networking
import SecureStore

/// The part of a renewal that spends a refresh token; it runs under the lock.
///
/// In order: a journal entry, which also proves that the store can be written; the exchange; the
/// new pair, stored only where the login is still the one that the exchange began with. Whatever is
/// interrupted in between is found by the next renewal in the journal entry.
struct CredentialExchange: Sendable {
  let renewal: CredentialRenewal
  let current: Credential
  let record: CredentialRecord
  let purpose: RenewalPurpose

  private var account: Account { renewal.account }
  private var time: TimeSource { renewal.time }

  func run() async throws -> CredentialRenewal.Outcome {
    if let refresh = account.refresh {
      return try await spending(current.refreshToken) {
        Credential(
          try await self.tokens(refresh), after: current.generation, grant: current.grant,
          now: time.wall())
      }
    }
    if current.grant == .clientCredentials {
      // Nothing is spent, so there is nothing to note beforehand.
      return try await finish(
        try await exchange(.clientCredentials(scopes: current.scopes), renewal.endpoint()))
    }
    guard let token = current.refreshToken else {
      throw signInRequired(.notRenewable)
    }
    let endpoint = try await renewal.endpoint()
    return try await spending(token) { try await exchange(.refreshToken(token), endpoint) }
  }

  private func exchange(
    _ grant: TokenGrant, _ endpoint: TokenEndpoint
  ) async throws -> Credential {
    let response = try await endpoint.exchange(grant)
    return Credential(
      response, after: current.generation, keeping: current.refreshToken, scopes: current.scopes,
      grant: current.grant, now: time.wall())
  }

  /// A front end's own renewal; what it leaves out stays as it was.
  private func tokens(_ refresh: Account.Refresh) async throws -> TokenSet {
    var tokens = try await refresh(current.tokens)
    guard TokenResponse.canBeHeaderValue(tokens.accessToken) else {
      throw TokenEndpointError.unavailable(status: 200, retryAt: nil)
    }
    tokens.refreshToken = tokens.refreshToken ?? current.refreshToken
    if tokens.scopes.isEmpty { tokens.scopes = current.scopes }
    return tokens
  }

  /// Spends a token between a journal entry and its result.
  private func spending(
    _ token: Secret?, _ exchange: () async throws -> Credential
  ) async throws -> CredentialRenewal.Outcome {
    guard let token else { return try await finish(try await exchange()) }
    let isReplay = record.spending?.isAbout(token) ?? false
    try checkReplay(isReplay)
    try checkRefusals()
    var journal = record
    journal.content = .active(current)
    // The first attempt's time stays: the server's grace is counted from it.
    let startedAt = isReplay ? record.spending?.startedAt : nil
    journal.spending = .init(token, at: startedAt ?? time.wall())
    try await renewal.keeper.save(journal, for: account.name)
    do {
      return try await finish(try await exchange())
    } catch TokenEndpointError.grantEnded {
      return try await grantEnded(isReplay ? .interruptedRenewal : .rejected)
    } catch TokenEndpointError.unexplained(let status) {
      throw await unexplained(status, journal)
    } catch {
      // Only what the server certainly did not act on leaves the token as good as before.
      if !isReplay, Self.hasSpentNothing(error) {
        try? await renewal.keeper.save(record, for: account.name)
      }
      throw error
    }
  }

  private static func hasSpentNothing(_ error: any Error) -> Bool {
    switch error {
    case let error as TokenEndpointError: error.isDefinite
    case SessionError.connectionFailed, SessionError.timedOut(.connect, _),
      SessionError.untrustedServer:
      true
    default: false
    }
  }

  private func checkReplay(_ isReplay: Bool) throws {
    guard isReplay, let spending = record.spending else { return }
    switch account.replay {
    case .accepted(let grace)
    where time.wall().timeIntervalSince(spending.startedAt) < grace / .seconds(1):
      return
    case .accepted, .refused:
      // While the access token works, a refused replay could only make things worse.
      if case .early = purpose { throw RenewalPostponed() }
    case .forbidden:
      if case .early = purpose { throw RenewalPostponed() }
      throw signInRequired(.interruptedRenewal)
    }
  }

  /// Asks a server that has refused without a reason three times only now and then.
  private func checkRefusals() throws {
    guard let refusals = record.refusals, refusals.count >= 3,
      abs(time.wall().timeIntervalSince(refusals.lastAt)) < 600
    else { return }
    throw signInRequired(.refusedWithoutReason)
  }

  private func unexplained(_ status: Int, _ journal: CredentialRecord) async -> any Error {
    var journal = journal
    let count = (record.refusals?.count ?? 0) + 1
    journal.refusals = .init(count: count, lastAt: time.wall())
    try? await renewal.keeper.save(journal, for: account.name)
    return count >= 3
      ? signInRequired(.refusedWithoutReason) : TokenEndpointError.unexplained(status: status)
  }

  /// Only the generation that was refused is ended; a newer one would be somebody's new login.
  private func grantEnded(
    _ reason: AuthenticationError.SignInReason
  ) async throws -> CredentialRenewal.Outcome {
    if let stored = try await renewal.storedRecord(), case .active(let other) = stored.content {
      guard other.generation == current.generation else {
        guard renewal.isGoodEnough(other, purpose) else { throw signInRequired(reason) }
        return CredentialRenewal.Outcome(credential: other)
      }
      try? await renewal.keeper.save(
        CredentialRecord(
          .ended(current.generation, at: time.wall(), because: reason), of: account),
        for: account.name)
    }
    throw signInRequired(reason)
  }

  /// Keeps what the exchange brought, where it is still wanted; else gives it back.
  private func finish(_ renewed: Credential) async throws -> CredentialRenewal.Outcome {
    let stored: CredentialRecord?
    do {
      stored = try await renewal.keeper.record(of: account.name)
    } catch {
      // The keyring is silent. What was paid for with the old token is not thrown away.
      return CredentialRenewal.Outcome(credential: renewed, isNew: true, unsavedBecause: error)
    }
    let isSignedOut = stored == nil
    let isReplaced = (stored?.generation.rawValue ?? 0) > current.generation.rawValue
    guard await renewal.isWanted(), !isSignedOut, !isReplaced else {
      await giveBack(renewed)
      if case .active(let other) = stored?.content, isReplaced,
        renewal.isGoodEnough(other, purpose)
      {
        return CredentialRenewal.Outcome(credential: other)
      }
      throw signInRequired(.signedOut)
    }
    return await renewal.saving(renewed, isNew: true)
  }

  private func giveBack(_ renewed: Credential) async {
    guard let endpoint = try? await renewal.endpoint() else { return }
    if let token = renewed.refreshToken {
      _ = await endpoint.revoke(token, hint: "refresh_token")
    } else {
      _ = await endpoint.revoke(renewed.accessToken, hint: "access_token")
    }
  }

  private func signInRequired(
    _ reason: AuthenticationError.SignInReason
  ) -> AuthenticationError {
    .signInRequired(account: account.name, reason: reason)
  }
}
