import Foundation
import Logging
import Networking

extension Authenticator {
  /// The current credentials of an account, renewed where they have ended.
  ///
  /// However many ask, one renewal serves them; each asker can be cancelled by itself.
  func credential(
    for name: String, rejected: CredentialGeneration? = nil
  ) async throws -> Credential {
    var credential = try await flight(for: name, rejected: rejected).value()
    // A flight that was under way already may have begun before the token was rejected.
    if let rejected, credential.generation == rejected {
      credential = try await flight(for: name, rejected: rejected).value()
    }
    return credential
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
    return try await credential(for: name, rejected: rejected).generation != rejected
  }

  /// The renewal under way, or a new one.
  private func flight(
    for name: String, rejected: CredentialGeneration?
  ) throws -> SharedOutcome<Credential> {
    let entry = try entry(name)
    if let flight = entry.flight { return flight }
    if let retryAt = entry.retryAt, retryAt > time.wall() {
      throw AuthenticationError.temporarilyUnavailable(
        account: name, retryAt: retryAt,
        underlying: TokenEndpointError.unavailable(status: 429, retryAt: retryAt))
    }
    let flight = SharedOutcome<Credential>()
    let epoch = entry.epoch
    entries[name]?.flight = flight
    // A task of its own: whoever asked first may be cancelled, and the exchange must be stored.
    Task { await self.run(flight, for: name, rejected: rejected, epoch: epoch) }
    return flight
  }

  private func run(
    _ flight: SharedOutcome<Credential>, for name: String, rejected: CredentialGeneration?,
    epoch: Int
  ) async {
    let result: Result<CredentialRenewal.Outcome, any Error>
    do {
      result = .success(try await renewal(of: name).run(rejected: rejected))
    } catch {
      result = .failure(classified(error, account: name))
    }
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
    entry.retryAt = nil
    switch result {
    case .success(let outcome):
      entry.lease.install(outcome.credential, now: time.wall())
      entry.unsaved = outcome.unsavedBecause.map {
        AccountEntry.Unsaved(credential: outcome.credential, reason: $0)
      }
      if entry.unsaved != nil {
        log.error(
          "renewed credentials could not be stored; they are held in memory",
          metadata: ["account": "\(name)"])
      }
    case .failure(AuthenticationError.temporarilyUnavailable(_, let retryAt, _)):
      entry.retryAt = retryAt
    case .failure(AuthenticationError.signInRequired):
      entry.lease.clear()
    case .failure: break
    }
    entries[name] = entry
    flight.resolve(result.map(\.credential))
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

  /// Waits for renewals under way and tries once more to store what could not be stored.
  ///
  /// A process calls it before it ends: an exchange that is cut off loses the login.
  ///
  /// - Parameter timeout: how long to wait at the most.
  /// - Throws: ``AuthenticationError/notSaved(account:underlying:)`` where credentials exist that
  ///   only this process has.
  public func drain(timeout: Duration = .seconds(20)) async throws {
    let flights = entries.values.compactMap(\.flight)
    if !flights.isEmpty {
      await withTaskGroup(of: Void.self) { group in
        let time = time
        group.addTask { for flight in flights { _ = try? await flight.value() } }
        group.addTask { try? await time.sleep(timeout) }
        await group.next()
        group.cancelAll()
      }
    }
    for (name, entry) in entries {
      guard let unsaved = entry.unsaved else { continue }
      do {
        // A renewal stores what it finds unsaved, under the lock and only where nothing newer is.
        _ = try await credential(for: name)
      } catch {
        throw AuthenticationError.notSaved(account: name, underlying: unsaved.reason)
      }
      if let still = entries[name]?.unsaved {
        throw AuthenticationError.notSaved(account: name, underlying: still.reason)
      }
    }
  }
}
