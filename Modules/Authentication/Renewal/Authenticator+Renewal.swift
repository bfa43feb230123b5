import Foundation
import Logging
import Networking
import SystemSupport

extension Authenticator {
  /// The current credentials of an account, renewed where they do not serve the purpose.
  ///
  /// However many ask, one renewal serves them; each asker can be cancelled by itself.
  func credential(
    for name: String, purpose: RenewalPurpose = .use
  ) async throws -> Credential {
    let begin = time.uptime()
    defer { metrics.waited(time.uptime() - begin, account: name) }
    let (joined, isOwn) = try flight(for: name, purpose: purpose)
    do {
      let credential = try await joined.value()
      // A flight that was under way already may have been for less: before the token was rejected,
      // or while it was still good.
      if isOwn || purpose.accepts(credential, at: time.wall()) { return credential }
    } catch AuthenticationError.temporarilyUnavailable(_, _, let reason)
      where !isOwn && reason is RenewalPostponed
    {}
    return try await flight(for: name, purpose: purpose).outcome.value()
  }

  /// Answers a 401: `true` where newer credentials are there, `false` where the server refuses
  /// fresh ones and renewing again would only be a storm.
  func replaceCredential(for name: String, rejected: CredentialGeneration) async throws -> Bool {
    var entry = try entry(name)
    if let held = entry.lease.generation, held.rawValue > rejected.rawValue { return true }
    if entry.flight == nil {
      guard entry.admitsForcedRenewal(at: time.uptime()) else {
        log.warning(
          "the server keeps rejecting fresh credentials", metadata: ["account": "\(name)"])
        return false
      }
      entries[name] = entry
    }
    return try await credential(for: name, purpose: .rejected(rejected)).generation != rejected
  }

  /// Renews ahead of need; nobody waits for it, and its failure is nobody's.
  func renewEarly(_ name: String) async {
    _ = try? await flight(for: name, purpose: .early).outcome.value()
  }

  /// The renewal under way, or a new one, which is the caller's own.
  private func flight(
    for name: String, purpose: RenewalPurpose
  ) throws -> (outcome: SharedOutcome<Credential>, isOwn: Bool) {
    let entry = try entry(name)
    if let flight = entry.flight { return (flight, false) }
    // A token that still works needs no server, so what failed ahead of need is no answer for it.
    let needsServer = purpose != .use || !(entry.held?.isUsable(at: time.wall()) ?? false)
    if let failure = entry.failure, time.uptime() < failure.retryAt, needsServer {
      throw failure.error
    }
    guard !admission.isClosed else { throw classified(AuthenticatorClosing(), account: name) }
    let flight = SharedOutcome<Credential>()
    entries[name]?.flight = flight
    // A task of its own: whoever asked first may be cancelled, and the exchange must be stored. Its
    // priority is its own too: who asked first may not be in a hurry, and everybody waits for it.
    entries[name]?.renewal = Task(priority: .userInitiated) {
      await self.run(flight, for: name, purpose: purpose, epoch: entry.epoch)
    }
    return (flight, true)
  }

  private func run(
    _ flight: SharedOutcome<Credential>, for name: String, purpose: RenewalPurpose, epoch: Int
  ) async {
    let begin = time.uptime()
    let result: Result<CredentialRenewal.Outcome, any Error>
    do {
      result = .success(try await renewal(of: name).run(purpose))
    } catch {
      result = .failure(classified(error, account: name))
    }
    metrics.renewed(result, in: time.uptime() - begin, account: name)
    finish(flight, for: name, purpose: purpose, epoch: epoch, with: result)
  }

  /// Takes a result over in one step, with no suspension between its parts.
  private func finish(
    _ flight: SharedOutcome<Credential>, for name: String, purpose: RenewalPurpose, epoch: Int,
    with result: Result<CredentialRenewal.Outcome, any Error>
  ) {
    guard var entry = entries[name], entry.epoch == epoch else {
      flight.resolve(
        .failure(AuthenticationError.signInRequired(account: name, reason: .signedOut)))
      return
    }
    // Abandoned by a drain, and resolved by it.
    guard entry.flight === flight else { return }
    entry.flight = nil
    entry.renewal = nil
    let answer: Result<Credential, any Error>
    switch result {
    case .success(let outcome) where outcome.credential.hasAccessToken:
      entry.failure = nil
      adopt(outcome, in: &entry)
      answer = .success(outcome.credential)
    case .success(let outcome):
      adopt(outcome, in: &entry)
      answer = failed(
        classified(TokenEndpointError.unusableToken, account: name), purpose, in: &entry)
    case .failure(let error):
      answer = failed(error, purpose, in: &entry)
    }
    entries[name] = entry
    if entry.unsaved != nil, !entry.isSaving { keepSaving(name, epoch: epoch, after: .seconds(1)) }
    flight.resolve(answer)
  }

  private func adopt(_ outcome: CredentialRenewal.Outcome, in entry: inout AccountEntry) {
    let name = entry.account.name
    let isOther = entry.held?.generation != outcome.credential.generation
    entry.held = outcome.credential
    entry.unsaved = outcome.unsaved
    install(outcome.credential, in: entry)
    guard isOther else { return }
    log.info(
      outcome.isNew ? "renewed the login" : "found the login",
      metadata: metadata(of: outcome.credential, account: name))
    if outcome.isNew, outcome.unsaved == nil {
      notice.post(.stored(outcome.credential.generation), for: name)
    }
    changes.send(
      CredentialChange(
        account: name, kind: .renewed, generation: outcome.credential.generation.rawValue,
        expiresAt: outcome.credential.expiresAt))
    if outcome.unsaved != nil {
      log.error(
        "renewed credentials could not be stored; they are held in memory",
        metadata: ["account": "\(name)"])
    }
  }

  private func failed(
    _ error: any Error, _ purpose: RenewalPurpose, in entry: inout AccountEntry
  ) -> Result<Credential, any Error> {
    let name = entry.account.name
    let isServable =
      entry.held.map {
        $0.isUsable(at: time.wall()) && $0.generation == entry.lease.generation
      } ?? false
    if case AuthenticationError.signInRequired(_, let reason) = error,
      // A renewal ahead of need that cannot be done leaves what works until it ends.
      !(isServable && purpose == .early && [.notRenewable, .refusedWithoutReason].contains(reason))
    {
      entry.failure = RenewalFailure(error, after: entry.failure, time: time)
      end(&entry, because: reason)
      return .failure(error)
    }
    var pause = Duration.seconds(60)
    if case AuthenticationError.temporarilyUnavailable(_, _, let underlying) = error,
      underlying is RenewalPostponed || underlying is AuthenticatorClosing
    {
      // Nothing has failed that a request with an ended token would have to wait for.
    } else {
      let failure = RenewalFailure(error, after: entry.failure, time: time)
      entry.failure = failure
      pause = max(failure.retryAt - time.uptime(), .seconds(1))
      log.warning(
        "credentials could not be renewed", metadata: ["account": "\(name)", "error": "\(error)"])
    }
    // What still works is served while it does; a newer one is tried for after a pause.
    if isServable, let held = entry.held {
      install(held, in: entry)
      entry.lease.rearm(after: pause)
    }
    return .failure(error)
  }

  /// Forgets a login that is over, here or everywhere.
  private func end(
    _ entry: inout AccountEntry, because reason: AuthenticationError.SignInReason
  ) {
    entry.held = nil
    entry.unsaved?.lock.release()
    entry.unsaved = nil
    entry.lease.clear()
    let isGone = reason == .notSignedIn || reason == .signedOut
    log.log(
      level: isGone ? .info : .warning, isGone ? "not signed in" : "the login has ended",
      metadata: ["account": "\(entry.account.name)", "reason": "\(reason.rawValue)"])
    changes.send(
      CredentialChange(
        account: entry.account.name, kind: isGone ? .signedOut : .ended(reason), generation: nil,
        expiresAt: nil))
  }

  /// Stores again and again what could not be stored, until it is or something newer takes its
  /// place.
  private func keepSaving(_ name: String, epoch: Int, after pause: Duration) {
    entries[name]?.isSaving = true
    let time = time
    Task { [weak self] in
      try? await time.sleep(pause)
      await self?.saveAgain(name, epoch: epoch, after: pause)
    }
  }

  private func saveAgain(_ name: String, epoch: Int, after pause: Duration) async {
    guard entries[name]?.epoch == epoch else { return }
    await save(name)
    guard entries[name]?.epoch == epoch, entries[name]?.unsaved != nil else {
      entries[name]?.isSaving = false
      return
    }
    keepSaving(name, epoch: epoch, after: min(pause * 2, .seconds(60)))
  }

  /// Waits until no renewal of an account is under way.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func awaitFlights(of name: String) async throws {
    while let flight = entries[name]?.flight {
      // A cancelled task would get the same answer again and again, and never let go of the actor.
      do { _ = try await flight.value() } catch { try Task.checkCancellation() }
    }
  }

  /// Tries once to store what could not be stored; it takes the place of a renewal, since both use the
  /// one lock.
  func save(_ name: String) async {
    guard (try? await awaitFlights(of: name)) != nil else { return }
    guard let epoch = entries[name]?.epoch, let held = entries[name]?.held,
      entries[name]?.unsaved != nil, let renewal = try? renewal(of: name)
    else { return }
    let flight = SharedOutcome<Credential>()
    entries[name]?.flight = flight
    let result: Result<Void, any Error>
    do {
      result = .success(try await renewal.saveHeld())
    } catch {
      result = .failure(error)
    }
    // Signed in or out meanwhile: then this is over. Whoever did has ended the flight, as a rule.
    guard var entry = entries[name], entry.epoch == epoch else {
      flight.resolve(
        .failure(AuthenticationError.signInRequired(account: name, reason: .signedOut)))
      return
    }
    entry.flight = nil
    switch result {
    case .success:
      entry.unsaved = nil
      notice.post(.stored(held.generation), for: name)
      log.notice("the login is stored again", metadata: ["account": "\(name)"])
    case .failure(AuthenticationError.signInRequired(_, let reason)):
      end(&entry, because: reason)
    case .failure: break
    }
    entries[name] = entry
    flight.resolve(.success(held))
  }

  /// Tells apart what ends a login, what a configuration has to mend, and what passes.
  func classified(_ error: any Error, account: String) -> any Error {
    switch error {
    case is AuthenticationError, is CancellationError: error
    case TokenEndpointError.grantEnded:
      AuthenticationError.signInRequired(account: account, reason: .rejected)
    case TokenEndpointError.refused(let code):
      AuthenticationError.misconfigured(account: account, reason: code)
    case DiscoveryError.insecure, DiscoveryError.otherIssuer, SessionError.invalidRequest:
      AuthenticationError.misconfigured(account: account, reason: "\(error)")
    case TokenEndpointError.unavailable(_, let retryAt):
      AuthenticationError.temporarilyUnavailable(
        account: account, retryAt: retryAt, underlying: error)
    default:
      AuthenticationError.temporarilyUnavailable(account: account, retryAt: nil, underlying: error)
    }
  }
}
