import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

/// One renewal of one account: it reads the stored login again and exchanges its refresh token only
/// if no other process was faster.
///
/// The lock is held during the second read, the exchange and the save. A second read alone is not
/// enough: another process could spend the same token during the network call. A pair that cannot
/// be stored keeps the lock, because another process would find the old token and spend it again.
struct CredentialRenewal: Sendable {
  let store: LoginStore
  let environment: RenewalEnvironment
  let latest: Credential?
  /// The lock and the seal that this process kept because the latest credential could not be
  /// stored.
  let kept: RenewalOutcome.Unsaved?
  /// A credential whose time is up by this process's own clock, whatever the wall clock shows.
  let expired: CredentialGeneration?

  private var account: Account { store.account }
  private var time: TimeSource { environment.time }

  func run(_ reason: RenewalReason) async throws -> RenewalOutcome {
    let goal = RenewalGoal(reason: reason, expired: expired)
    if let tokens = account.providedTokens {
      let provided = latest ?? Credential(tokens, after: nil, grant: .provided, now: time.wall())
      guard goal.isMet(by: provided, at: time.wall()) else {
        throw store.signInRequired(.notRenewable)
      }
      return RenewalOutcome(credential: provided)
    }
    if let stored = try await store.activeRecord()?.credential,
      goal.isMet(by: stored, at: time.wall()), !isOlderThanLatest(stored)
    {
      return RenewalOutcome(credential: stored)
    }
    return try await store.lock.withLock(kept: kept?.lock) { lock in
      try await renew(goal, under: lock)
    }
  }

  /// Stores the latest credential after an earlier failure, unless a newer one is stored.
  ///
  /// - Returns: the outcome, whose ``RenewalOutcome/unsaved`` is the latest failure.
  /// - Throws: ``AuthenticationError/signInRequired(account:reason:message:)`` if the login was
  /// signed out
  ///   meanwhile; the pair is then revoked.
  func save(_ latest: Credential) async throws -> RenewalOutcome {
    try await store.lock.withLock(kept: kept?.lock) { lock in
      let seal = await store.seal(latest, kept?.seal ?? PairSeal(key: nil))
      let stored: CredentialRecord?
      do {
        stored = try await store.activeRecord()
      } catch let error as AuthenticationError {
        if case .signInRequired = error { throw error }
        return await store.unsaved(latest, isNew: false, under: lock, seal, because: error)
      }
      guard let stored else { throw await signedOut(latest) }
      guard stored.generation.rawValue < latest.generation.rawValue else {
        store.sealed.remove()
        return RenewalOutcome(credential: latest)
      }
      let outcome = await store.saved(latest, under: lock, seal)
      guard !store.isSignedOut(latest) else {
        await environment.record(store) { _ = try await $0.remove() }
        throw await signedOut(latest)
      }
      if outcome.unsaved == nil { store.notice.post(.renewed, latest) }
      return outcome
    }
  }

  private func signedOut(_ credential: Credential) async -> AuthenticationError {
    store.sealed.remove()
    await environment.revoke(credential)
    return store.signInRequired(.signedOut)
  }

  private func renew(_ goal: RenewalGoal, under lock: HeldLock) async throws -> RenewalOutcome {
    let found = try await store.recordAfterPeers(time, exchangeLimit: environment.exchangeLimit)
    guard let record = found, let stored = record.credential else {
      throw store.signInRequired(.notSignedIn)
    }
    // The stored pair can be older than the latest: the latest could not be stored, by this process
    // or by one that has ended; or an abandoned write completed late and restored an older pair.
    var (current, seal) = (stored, kept?.seal ?? PairSeal(key: record.pendingExchange?.key))
    if let latest, latest.isNewer(than: current) { current = latest }
    if let sealed = store.sealedPair(of: record), !current.isNewer(than: sealed) {
      (current, seal.isWritten) = (sealed, true)
    }
    if current.isNewer(than: stored) {
      let outcome = await store.saved(current, under: lock, seal)
      if outcome.unsaved == nil {
        store.notice.post(.renewed, current)
        environment.log.notice(
          "stored the renewed login after an earlier failure",
          metadata: ["account": "\(account.name)"])
      }
      guard !goal.isMet(by: current, at: time.wall()) else { return outcome }
      // A store that does not take the pair would not take the journal entry of its exchange.
      if let unsaved = outcome.unsaved { throw unsaved.reason }
    }
    guard !goal.isMet(by: current, at: time.wall()) else {
      return RenewalOutcome(credential: current)
    }
    return try await CredentialExchange(
      store: store, environment: environment, goal: goal, current: current, record: record,
      lock: lock
    ).run()
  }

  private func isOlderThanLatest(_ stored: Credential) -> Bool {
    latest.map { $0.isNewer(than: stored) } ?? false
  }
}

struct RenewalEnvironment: Sendable {
  /// Finds the token endpoint, which may need the network; called only for an exchange.
  let endpoint: @Sendable () async throws -> TokenEndpoint
  let admission: ExchangeAdmission
  /// The longest time for a request of which nothing is written.
  let requestLimit: Duration
  /// The longest time for an exchange, after which its request has ended.
  let exchangeLimit: Duration
  let time: TimeSource
  let log: Logger
  /// Returns false once the account was signed in or out since the renewal began.
  let isStillSignedIn: @Sendable () async -> Bool

  func revoke(_ credential: Credential) async {
    guard let endpoint = try? await endpoint() else { return }
    _ = await endpoint.revoke(credential)
  }

  /// Stores an outcome that holds even if it cannot be stored; a failure is logged.
  func record(_ store: LoginStore, _ change: (LoginStore) async throws -> Void) async {
    do {
      try await change(store)
    } catch {
      log.warning(
        "cannot store the outcome of a renewal",
        metadata: ["account": "\(store.account.name)", "error": "\(error)"])
    }
  }
}

enum RenewalReason: Sendable, Equatable {
  case tokenNeeded
  case expiringSoon
  /// The API answered 401 to this generation.
  case rejected(CredentialGeneration)

  func isSatisfied(by credential: Credential, at now: Date) -> Bool {
    switch self {
    case .tokenNeeded: credential.isUsable(at: now)
    case .expiringSoon: credential.isFresh(at: now)
    case .rejected(let generation):
      credential.generation.rawValue > generation.rawValue && credential.isUsable(at: now)
    }
  }
}

/// The reason of one renewal, and the credential that has expired by this process's own clock.
struct RenewalGoal: Sendable {
  let reason: RenewalReason
  /// A generation whose time is up by uptime, whatever the wall clock shows.
  let expired: CredentialGeneration?

  func isMet(by credential: Credential, at now: Date) -> Bool {
    credential.generation != expired && reason.isSatisfied(by: credential, at: now)
  }
}

struct RenewalOutcome: Sendable {
  /// The reason why a credential could not be stored, and the lock that is held until it is.
  struct Unsaved: Sendable {
    let reason: any Error
    /// Held because another process would find the old refresh token, and spend it again.
    let lock: HeldLock
    var seal: PairSeal
  }

  let credential: Credential
  var isNew = false
  var unsaved: Unsaved?
}

extension LoginStore {
  /// Stores a credential before it is used.
  ///
  /// The old token is spent, so a failed save must not lose the new one: the credential is served
  /// from memory, the sealed file keeps it, and the outcome keeps the lock.
  func saved(
    _ credential: Credential, isNew: Bool = false, under lock: HeldLock, _ seal: PairSeal
  ) async -> RenewalOutcome {
    do {
      try await save(credential)
      return RenewalOutcome(credential: credential, isNew: isNew)
    } catch {
      return await unsaved(credential, isNew: isNew, under: lock, seal, because: error)
    }
  }

  func unsaved(
    _ credential: Credential, isNew: Bool, under lock: HeldLock, _ seal: PairSeal,
    because reason: any Error
  ) async -> RenewalOutcome {
    RenewalOutcome(
      credential: credential, isNew: isNew,
      unsaved: .init(reason: reason, lock: lock, seal: await self.seal(credential, seal)))
  }
}
