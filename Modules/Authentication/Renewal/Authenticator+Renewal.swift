import Foundation
import Logging
import Networking

extension Authenticator {
  /// The current credentials of an account, renewed where they do not serve the purpose.
  ///
  /// However many ask, one renewal serves them; each asker can be cancelled by itself.
  func credential(
    for name: String, purpose: RenewalPurpose = .use
  ) async throws -> Credential {
    let begin = time.uptime()
    defer { metrics.waited(time.uptime() - begin, account: name) }
    let credential = try await flight(for: name, purpose: purpose).value()
    // A flight that was under way already may have begun before the token was rejected.
    guard case .rejected(let generation) = purpose, credential.generation == generation else {
      return credential
    }
    return try await flight(for: name, purpose: purpose).value()
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
    _ = try? await flight(for: name, purpose: .early).value()
  }

  /// The renewal under way, or a new one.
  private func flight(
    for name: String, purpose: RenewalPurpose
  ) throws -> SharedOutcome<Credential> {
    let entry = try entry(name)
    if let flight = entry.flight { return flight }
    if let failure = entry.failure, time.uptime() < failure.retryAt { throw failure.error }
    let flight = SharedOutcome<Credential>()
    entries[name]?.flight = flight
    // A task of its own: whoever asked first may be cancelled, and the exchange must be stored.
    Task { await self.run(flight, for: name, purpose: purpose, epoch: entry.epoch) }
    return flight
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
    finish(flight, for: name, epoch: epoch, with: result)
  }

  /// Takes a result over in one step, with no suspension between its parts.
  private func finish(
    _ flight: SharedOutcome<Credential>, for name: String, epoch: Int,
    with result: Result<CredentialRenewal.Outcome, any Error>
  ) {
    guard var entry = entries[name], entry.epoch == epoch else {
      flight.resolve(
        .failure(AuthenticationError.signInRequired(account: name, reason: .signedOut)))
      return
    }
    entry.flight = nil
    let answer: Result<Credential, any Error>
    switch result {
    case .success(let outcome):
      entry.failure = nil
      adopt(outcome, in: &entry)
      answer = .success(outcome.credential)
    case .failure(let error):
      answer = failed(error, in: &entry)
    }
    entries[name] = entry
    if entry.unsaved != nil { keepSaving(name, epoch: epoch, after: .seconds(1)) }
    flight.resolve(answer)
  }

  private func adopt(_ outcome: CredentialRenewal.Outcome, in entry: inout AccountEntry) {
    let name = entry.account.name
    let isOther = entry.held?.generation != outcome.credential.generation
    entry.held = outcome.credential
    entry.unsaved = outcome.unsaved
    install(outcome.credential, in: entry.lease)
    guard isOther else { return }
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
    _ error: any Error, in entry: inout AccountEntry
  ) -> Result<Credential, any Error> {
    let name = entry.account.name
    let failure = RenewalFailure(error, after: entry.failure, time: time)
    entry.failure = failure
    if case AuthenticationError.signInRequired(_, let reason) = error {
      entry.held = nil
      entry.lease.clear()
      changes.send(
        CredentialChange(
          account: name, kind: reason == .notSignedIn ? .signedOut : .ended(reason),
          generation: nil, expiresAt: nil))
      return .failure(error)
    }
    log.warning(
      "credentials could not be renewed", metadata: ["account": "\(name)", "error": "\(error)"])
    // What still works is served while it does; a newer one is tried for after a pause.
    guard let held = entry.held, held.isUsable(at: time.wall()),
      entry.lease.generation == held.generation
    else { return .failure(error) }
    install(held, in: entry.lease)
    entry.lease.rearm(after: max(failure.retryAt - time.uptime(), .seconds(1)))
    return .failure(error)
  }

  /// Stores again and again what could not be stored, until it is or something newer takes its
  /// place.
  private func keepSaving(_ name: String, epoch: Int, after pause: Duration) {
    let time = time
    Task { [weak self] in
      do { try await time.sleep(pause) } catch { return }
      await self?.saveAgain(name, epoch: epoch, after: pause)
    }
  }

  private func saveAgain(_ name: String, epoch: Int, after pause: Duration) async {
    guard entries[name]?.epoch == epoch, let held = entries[name]?.held,
      entries[name]?.unsaved != nil
    else { return }
    do {
      try await renewal(of: name).saveHeld()
      guard entries[name]?.held?.generation == held.generation else { return }
      entries[name]?.unsaved = nil
      notice.post(.stored(held.generation), for: name)
      log.notice("the login is stored again", metadata: ["account": "\(name)"])
    } catch {
      keepSaving(name, epoch: epoch, after: min(pause * 2, .seconds(60)))
    }
  }

  /// Tells apart what ends a login, what a configuration has to mend, and what passes.
  func classified(_ error: any Error, account: String) -> any Error {
    switch error {
    case is AuthenticationError, is CancellationError: error
    case TokenEndpointError.grantEnded:
      AuthenticationError.signInRequired(account: account, reason: .rejected)
    case TokenEndpointError.refused(let code):
      AuthenticationError.misconfigured(account: account, reason: code)
    case TokenEndpointError.unavailable(_, let retryAt):
      AuthenticationError.temporarilyUnavailable(
        account: account, retryAt: retryAt, underlying: error)
    default:
      AuthenticationError.temporarilyUnavailable(account: account, retryAt: nil, underlying: error)
    }
  }
}
