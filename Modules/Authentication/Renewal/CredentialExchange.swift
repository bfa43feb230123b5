import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

/// The part of a renewal that spends a refresh token; it runs under the lock.
///
/// It writes a journal entry, which also proves that the store can be written; it exchanges the
/// token; and it stores the new pair if the login is still the one with which the exchange began.
/// If an exchange is interrupted, the next renewal finds its journal entry, and `ExchangeJournal`
/// decides what to do.
struct CredentialExchange: Sendable {
  let store: LoginStore
  let environment: RenewalEnvironment
  let goal: RenewalGoal
  let current: Credential
  let record: CredentialRecord
  let lock: HeldLock

  private var account: Account { store.account }
  private var time: TimeSource { environment.time }

  func run() async throws -> RenewalOutcome {
    if let refresh = account.refresh {
      return try await spend(current.refreshToken, nil) {
        Credential(renewing: current, with: try await self.tokens(refresh), now: time.wall())
      }
    }
    if current.grant == .clientCredentials {
      // Nothing is spent, so no journal entry is needed.
      let endpoint = try await environment.endpoint()
      return try await admitted {
        try await finish(
          try await exchange(.clientCredentials(scopes: current.scopes), endpoint),
          PairSeal(key: nil))
      }
    }
    guard account.hasTokenEndpoint, let token = current.refreshToken else {
      throw store.signInRequired(.notRenewable)
    }
    let endpoint = try await environment.endpoint()
    let report = WriteReport()
    return try await spend(token, report) {
      try await exchange(.refreshToken(token, redirectURI: redirectURI), endpoint, report)
    }
  }

  /// Runs work that must not be interrupted, unless the process is about to end.
  private func admitted(
    _ body: () async throws -> RenewalOutcome
  ) async throws -> RenewalOutcome {
    let exchange = try environment.admission.begin(account.name)
    defer { environment.admission.end(exchange) }
    return try await body()
  }

  /// The redirect URI of the sign-in, if the server requires it again.
  ///
  /// A login without one, such as pasted tokens, uses the client's own.
  private var redirectURI: String? {
    guard account.refreshSendsRedirectURI else { return nil }
    return current.redirect?.uri ?? account.client.redirectURI
  }

  private func exchange(
    _ grant: TokenGrant, _ endpoint: TokenEndpoint, _ report: WriteReport? = nil
  ) async throws -> Credential {
    let response = try await bounded(report) {
      try await endpoint.exchange(grant, report: report)
    }
    return Credential(renewing: current, with: response, now: time.wall())
  }

  /// Runs an exchange, and cancels it at the time limit; an answer that comes nevertheless counts,
  /// since a token was spent for it.
  ///
  /// The limit includes the session's own retries: after it, a process that finds the journal entry
  /// may assume that the request has ended. A request of which nothing is written ends earlier.
  ///
  /// - Parameter report: `nil` if the token may be spent from the beginning.
  private func bounded<Answer: Sendable>(
    _ report: WriteReport?, _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let (environment, name) = (environment, account.name)
    return try await withThrowingTaskGroup(of: Answer?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        let (time, limit) = (environment.time, environment.exchangeLimit)
        let first = min(environment.requestLimit, limit)
        try await time.sleep(first)
        guard report?.mayBeWritten ?? true, first < limit else { return nil }
        environment.log.warning(
          "the authorization server is slow to answer; the renewal waits, since it has the token",
          metadata: [
            "account": "\(name)",
            "longest": "\(Int(clamping: limit / .seconds(1), rounding: .up))s",
          ])
        try await time.sleep(limit - first)
        return nil
      }
      defer { group.cancelAll() }
      if let answer = try await group.next() ?? nil { return answer }
      group.cancelAll()
      do {
        if let answer = try await group.next() ?? nil { return answer }
      } catch is CancellationError {
      } catch SessionError.cancelled {}
      throw SessionError.timedOut(phase: .operation, origin: nil)
    }
  }

  private func tokens(_ refresh: @escaping Account.Refresh) async throws -> TokenSet {
    var tokens = try await bounded(nil) { [current] in try await refresh(current.tokens) }
    guard !TokenResponse.canBeHeaderValue(tokens.accessToken) else { return tokens }
    // The old refresh token is spent, so the new one is kept even without an access token.
    guard tokens.refreshToken != nil else { throw TokenEndpointError.unusableToken }
    tokens.accessToken = Secret("")
    tokens.expiresAt = time.wall()
    return tokens
  }

  /// Spends a token between a journal entry and its result.
  ///
  /// - Parameter report: the report of what was written; a front end's own renewal has none.
  private func spend(
    _ token: Secret?, _ report: WriteReport?, _ exchange: () async throws -> Credential
  ) async throws -> RenewalOutcome {
    guard let token else {
      return try await admitted { try await finish(try await exchange(), PairSeal(key: nil)) }
    }
    let journal = ExchangeJournal(store: store, environment: environment, record: record)
    let isReplay = journal.isReplay(of: token)
    if isReplay { try await journal.settleReplay(for: goal.reason) }
    try journal.checkRefusals()
    return try await admitted {
      let entry = try await journal.begin(token, of: current)
      await reserve(for: entry)
      var isKept = false
      defer { if !isKept { store.sealed.remove() } }
      do {
        let outcome = try await finish(
          try await exchange(), PairSeal(key: entry.pendingExchange?.key))
        isKept = outcome.unsaved != nil
        return outcome
      } catch TokenEndpointError.grantEnded(let refusal) {
        return try await grantEnded(isReplay ? .interruptedRenewal : .rejected, refusal.message)
      } catch {
        throw await journal.failed(
          entry, error, report, isReplay: isReplay, for: goal.reason)
      }
    }
  }

  /// Reserves space for the new pair, which an earlier pair in the file no longer needs: the
  /// journal entry was stored with it.
  private func reserve(for entry: CredentialRecord) async {
    let size = (try? entry.encoded().exposedBytes.count) ?? 0
    await BlockingWork.run { [sealed = store.sealed] in sealed.reserve(size) }
  }

  private func grantEnded(
    _ reason: AuthenticationError.SignInReason, _ message: ProviderMessage?
  ) async throws -> RenewalOutcome {
    if let other = try await store.activeRecord()?.credential {
      guard other.generation == current.generation else {
        guard goal.isMet(by: other, at: time.wall()) else {
          throw store.signInRequired(reason, message)
        }
        return RenewalOutcome(credential: other)
      }
      await environment.record(store) {
        var record = CredentialRecord(
          .ended(current.generation, at: time.wall(), because: reason), of: account)
        record.endedMessage = message?.text
        try await $0.save(record)
        $0.notice.post(.ended(reason), current)
      }
    }
    throw store.signInRequired(reason, message)
  }

  /// Stores the new pair if it is still wanted, and otherwise revokes it.
  ///
  /// The pair is sealed first: the store may take long, and the process may be killed meanwhile.
  private func finish(_ renewed: Credential, _ seal: PairSeal) async throws -> RenewalOutcome {
    let seal = await store.seal(renewed, seal)
    let stored: CredentialRecord?
    do {
      stored = try await store.record()
    } catch {
      // The keyring does not respond. The old token is spent, so the new pair must not be lost.
      return await store.unsaved(renewed, isNew: true, under: lock, seal, because: error)
    }
    if let other = stored?.credential, other.generation.rawValue > current.generation.rawValue {
      // Another pair of the same login uses the same grant, so this one is dropped, not revoked.
      if other.loginID != renewed.loginID { await environment.revoke(renewed) }
      guard goal.isMet(by: other, at: time.wall()) else { throw store.signInRequired(.signedOut) }
      return RenewalOutcome(credential: other)
    }
    guard await environment.isStillSignedIn(), stored != nil, !store.isSignedOut(current) else {
      await environment.revoke(renewed)
      throw store.signInRequired(.signedOut)
    }
    let outcome = await store.saved(renewed, isNew: true, under: lock, seal)
    // A sign-out that could not wait for the lock may have come between the check and the save.
    guard !store.isSignedOut(current) else {
      await environment.record(store) { _ = try await $0.remove() }
      await environment.revoke(renewed)
      throw store.signInRequired(.signedOut)
    }
    if outcome.unsaved == nil { store.notice.post(.renewed, renewed) }
    return outcome
  }
}
