import Foundation
import Networking
import SecureStore
import SystemSupport

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
  let lock: HeldLock

  private var account: Account { renewal.account }
  private var time: TimeSource { renewal.time }

  func run() async throws -> CredentialRenewal.Outcome {
    if let refresh = account.refresh {
      return try await pendingExchange(current.refreshToken, nil) {
        Credential(renewing: current, with: try await self.tokens(refresh), now: time.wall())
      }
    }
    if current.grant == .clientCredentials {
      // Nothing is spent, so there is nothing to note beforehand.
      let endpoint = try await renewal.endpoint()
      return try await admitted {
        try await finish(
          try await exchange(.clientCredentials(scopes: current.scopes), endpoint))
      }
    }
    guard account.hasTokenEndpoint, let token = current.refreshToken else {
      throw signInRequired(.notRenewable)
    }
    let endpoint = try await renewal.endpoint()
    let report = WriteReport()
    return try await pendingExchange(token, report) {
      try await exchange(.refreshToken(token, redirectURI: redirectURI), endpoint, report)
    }
  }

  /// Runs what must not be cut off, unless the process is about to end.
  private func admitted(
    _ body: () async throws -> CredentialRenewal.Outcome
  ) async throws -> CredentialRenewal.Outcome {
    let exchange = try renewal.admission.begin(account.name)
    defer { renewal.admission.end(exchange) }
    return try await body()
  }

  /// The redirect URI of the sign-in, where the server wants it again; of a login without one, as of
  /// tokens that were handed over, the one that the client would use.
  private var redirectURI: String? {
    guard account.refreshSendsRedirectURI else { return nil }
    return current.redirect?.uri ?? account.client.redirectURI
  }

  private func exchange(
    _ grant: TokenGrant, _ endpoint: TokenEndpoint, _ report: WriteReport? = nil
  ) async throws -> Credential {
    // Given up, with all that the session repeats in it, when whoever finds the journal entry may
    // take its request for dead.
    let response = try await time.bounded(by: renewal.requestLimit) {
      try await endpoint.exchange(grant, report: report)
    }
    guard let response else { throw SessionError.timedOut(phase: .operation, origin: nil) }
    return Credential(renewing: current, with: response, now: time.wall())
  }

  /// A front end's own renewal.
  private func tokens(_ refresh: Account.Refresh) async throws -> TokenSet {
    var tokens = try await refresh(current.tokens)
    guard !TokenResponse.canBeHeaderValue(tokens.accessToken) else { return tokens }
    // What it was obtained with is spent, and the new one must not be lost with it.
    guard tokens.refreshToken != nil else { throw TokenEndpointError.unusableToken }
    tokens.accessToken = Secret("")
    tokens.expiresAt = time.wall()
    return tokens
  }

  /// Spends a token between a journal entry and its result.
  ///
  /// - Parameter report: tells what was written; a front end's own renewal has none.
  private func pendingExchange(
    _ token: Secret?, _ report: WriteReport?, _ exchange: () async throws -> Credential
  ) async throws -> CredentialRenewal.Outcome {
    guard let token else {
      return try await admitted { try await finish(try await exchange()) }
    }
    let isReplay = record.pendingExchange?.isAbout(token) ?? false
    if isReplay { try await settleReplay() }
    try checkRefusals()
    return try await admitted { try await spend(token, report, isReplay: isReplay, exchange) }
  }

  private func spend(
    _ token: Secret, _ report: WriteReport?, isReplay: Bool,
    _ exchange: () async throws -> Credential
  ) async throws -> CredentialRenewal.Outcome {
    var journal = record
    journal.content = .active(current)
    journal.pendingExchange = .init(
      token, at: time.wall(), firstAt: isReplay ? record.pendingExchange?.startedAt : nil)
    try await renewal.credentials.save(journal, for: account.name)
    do {
      return try await finish(try await exchange())
    } catch TokenEndpointError.grantEnded {
      return try await grantEnded(isReplay ? .interruptedRenewal : .rejected)
    } catch TokenEndpointError.unexplained(let status) {
      throw await unexplained(status, journal)
    } catch {
      if !isReplay, let error = error as? TokenEndpointError, error.isDefinite {
        // The token is as good as before.
        journal.pendingExchange = nil
      } else if error is TokenEndpointError {
        journal.pendingExchange?.isAnswered = true
      } else if await report?.isUnwritten() == true {
        // As before this attempt, of which nobody knows.
        journal.pendingExchange = isReplay ? record.pendingExchange : nil
      } else {
        throw error
      }
      try? await renewal.credentials.save(journal, for: account.name)
      throw error
    }
  }

  /// Lets a replay go on, at once or when it is safe, or stops it.
  private func settleReplay() async throws {
    guard let pendingExchange = record.pendingExchange else { return }
    let age = time.wall().timeIntervalSince(pendingExchange.startedAt)
    switch account.replay {
    case .accepted(let grace) where age < grace / .seconds(1): break
    case .accepted, .refused:
      // While the access token works, a refused replay could only make things worse.
      if case .early = purpose { throw RenewalPostponed() }
    case .forbidden:
      if case .early = purpose { throw RenewalPostponed() }
      throw signInRequired(.interruptedRenewal)
    }
    // The last request may still be on its way, and then it would be itself the reuse.
    let limit = renewal.requestLimit / .seconds(1)
    let sinceLast = time.wall().timeIntervalSince(pendingExchange.lastSentAt)
    if pendingExchange.isAnswered != true, sinceLast < limit {
      try await time.sleep(.seconds(min(limit, limit - sinceLast)))
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
    journal.pendingExchange?.isAnswered = true
    let count = (record.refusals?.count ?? 0) + 1
    journal.refusals = .init(count: count, lastAt: time.wall())
    try? await renewal.credentials.save(journal, for: account.name)
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
      try? await renewal.credentials.save(
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
      stored = try await renewal.credentials.record(of: account.name)
    } catch {
      // The keyring is silent. What was paid for with the old token is not thrown away.
      return CredentialRenewal.Outcome(
        credential: renewed, isNew: true, unsaved: .init(reason: error, lock: lock))
    }
    if case .active(let other)? = stored?.content,
      other.generation.rawValue > current.generation.rawValue
    {
      // Another pair of the same login lives on the same grant, so ours is dropped, not revoked.
      if other.login != renewed.login { await renewal.revoke(renewed) }
      guard renewal.isGoodEnough(other, purpose) else { throw signInRequired(.signedOut) }
      return CredentialRenewal.Outcome(credential: other)
    }
    guard await renewal.isWanted(), stored != nil, !isSignedOut else {
      await renewal.revoke(renewed)
      throw signInRequired(.signedOut)
    }
    let outcome = await renewal.saving(renewed, isNew: true, lock)
    // A sign-out that could not wait for the lock may have come between the look and the save.
    guard !isSignedOut else {
      _ = try? await renewal.credentials.remove(account.name)
      await renewal.revoke(renewed)
      throw signInRequired(.signedOut)
    }
    return outcome
  }

  private var isSignedOut: Bool {
    renewal.notice.hasSignedOut(current.login, of: account.name)
  }

  private func signInRequired(
    _ reason: AuthenticationError.SignInReason
  ) -> AuthenticationError {
    .signInRequired(account: account.name, reason: reason)
  }
}
