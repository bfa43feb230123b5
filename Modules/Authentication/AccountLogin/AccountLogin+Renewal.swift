import Foundation
import Logging
import Networking
import SystemSupport

extension AccountLogin {
  /// Returns the current credential, renewed if it does not serve the reason.
  ///
  /// One renewal serves every caller; each caller can be cancelled by itself.
  func credential(for reason: RenewalReason = .tokenNeeded) async throws -> Credential {
    let begin = time.uptime()
    defer { metrics.waited(time.uptime() - begin, account: name) }
    let (joined, isOwn) = try renewal(for: reason)
    do {
      let credential = try await joined.value()
      // A renewal that was already in progress may have had a weaker reason: it began before the
      // token was rejected, or while the token was still valid.
      if isOwn || reason.isSatisfied(by: credential, at: time.wall()) { return credential }
    } catch AuthenticationError.temporarilyUnavailable(_, _, let error)
      where !isOwn && error is RenewalPostponed
    {}
    return try await renewal(for: reason).outcome.value()
  }

  /// Replaces a credential that the API rejected with 401.
  ///
  /// - Returns: `true` if a newer credential is available; `false` if the API refuses fresh ones,
  ///   so that another renewal would not help.
  func replaceCredential(rejected: CredentialGeneration) async throws -> Bool {
    if let current = lease.generation, current.rawValue > rejected.rawValue { return true }
    if flight == nil, !admitsForcedRenewal() {
      log.warning("the server rejects renewed credentials", metadata: ["account": "\(name)"])
      return false
    }
    return try await credential(for: .rejected(rejected)).generation != rejected
  }

  /// Renews before expiry; no request waits for it, and its failure does not affect any.
  func renewEarly() async {
    _ = try? await renewal(for: .expiringSoon).outcome.value()
  }

  /// Returns the renewal in progress, or starts one, which is then the caller's own.
  private func renewal(
    for reason: RenewalReason
  ) throws -> (outcome: SharedOutcome<Credential>, isOwn: Bool) {
    if let flight { return (flight, false) }
    // A token that still works can be served without the server, so an early renewal that failed
    // does not count here.
    let needsServer = reason != .tokenNeeded || !(latest?.isUsable(at: time.wall()) ?? false)
    if let failure, time.uptime() < failure.retryAt, needsServer { throw failure.error }
    guard !admission.isClosed else {
      throw AuthenticationError.classified(AuthenticatorClosing(), account: name)
    }
    let flight = SharedOutcome<Credential>()
    self.flight = flight
    let epoch = epoch
    // A task of its own, since the first caller may be cancelled and the exchange must be stored.
    // Its priority is fixed, since every caller waits for it, whatever the priority of the first
    // one.
    flightTask = Task(priority: .userInitiated) {
      await self.run(flight, for: reason, epoch: epoch)
    }
    return (flight, true)
  }

  private func run(
    _ flight: SharedOutcome<Credential>, for reason: RenewalReason, epoch: Int
  ) async {
    let begin = time.uptime()
    let result: Result<RenewalOutcome, any Error>
    do {
      result = .success(try await credentialRenewal().run(reason))
    } catch {
      result = .failure(AuthenticationError.classified(error, account: name))
    }
    metrics.renewed(result, in: time.uptime() - begin, account: name)
    finish(flight, for: reason, epoch: epoch, with: result)
  }

  func credentialRenewal() -> CredentialRenewal {
    let epoch = epoch
    return CredentialRenewal(
      store: store,
      environment: RenewalEnvironment(
        endpoint: { try await self.endpoint() }, admission: admission,
        requestLimit: session.configuration.timeout.request,
        exchangeLimit: session.configuration.exchangeLimit, time: time, log: log,
        isStillSignedIn: { await self.epoch == epoch }),
      latest: latest, kept: unsaved, expired: lease.expiredGeneration)
  }

  private func finish(
    _ flight: SharedOutcome<Credential>, for reason: RenewalReason, epoch: Int,
    with result: Result<RenewalOutcome, any Error>
  ) {
    guard self.epoch == epoch else {
      flight.resolve(.failure(store.signInRequired(.signedOut)))
      return
    }
    // A drain has ended this renewal and resolved it.
    guard self.flight === flight else { return }
    self.flight = nil
    flightTask = nil
    let answer: Result<Credential, any Error>
    switch result {
    case .success(let outcome) where outcome.credential.hasAccessToken:
      failure = nil
      adopt(outcome)
      answer = .success(outcome.credential)
    case .success(let outcome):
      adopt(outcome)
      let error = AuthenticationError.classified(TokenEndpointError.unusableToken, account: name)
      failed(error, reason)
      answer = .failure(error)
    case .failure(let error):
      failed(error, reason)
      answer = .failure(error)
    }
    if unsaved != nil, !isSaving { scheduleSave(after: .seconds(1)) }
    flight.resolve(answer)
  }

  private func adopt(_ outcome: RenewalOutcome) {
    let credential = outcome.credential
    let earlier = latest
    latest = credential
    unsaved = outcome.unsaved
    install(credential)
    guard earlier?.generation != credential.generation else { return }
    log.debug(
      outcome.isNew ? "renewed the login" : "found the login", metadata: metadata(of: credential))
    if outcome.isNew || earlier != nil {
      reportDirectly(
        earlier.map { $0.loginID == credential.loginID } ?? true ? .renewed : .signedIn, credential)
    } else {
      // The first use of a login changes nothing.
      noticeChanged()
    }
    // A sign-out by another process, which this renewal came too late to notice.
    if store.isSignedOut(credential) { forget() }
    if let unsaved = outcome.unsaved {
      log.error(
        unsaved.seal.isWritten
          ? "cannot store the renewed login yet; a sealed file keeps it"
          : "cannot store the renewed login yet; only this process has it, and tries again",
        metadata: ["account": "\(name)", "error": "\(unsaved.reason)"])
    }
  }

  private func failed(_ error: any Error, _ reason: RenewalReason) {
    let servable = latest.flatMap {
      $0.isUsable(at: time.wall()) && $0.generation == lease.generation ? $0 : nil
    }
    if case AuthenticationError.signInRequired(_, let why, _) = error,
      // An early renewal that is not possible leaves a working token in use until it expires.
      !(servable != nil && reason == .expiringSoon
        && [.notRenewable, .refusedWithoutReason].contains(why))
    {
      failure = RenewalFailure(error, after: failure, time: time)
      end(because: why)
      return
    }
    var pause = Duration.seconds(60)
    if case AuthenticationError.temporarilyUnavailable(_, _, let underlying) = error,
      underlying is RenewalPostponed || underlying is AuthenticatorClosing
    {
      // The server has not failed, so a request with an expired token need not wait.
    } else {
      let failure = RenewalFailure(error, after: failure, time: time)
      self.failure = failure
      pause = max(failure.retryAt - time.uptime(), .seconds(1))
      log.warning(
        "cannot renew the login", metadata: ["account": "\(name)", "error": "\(error)"])
    }
    // A token that still works is served until it expires; the next early renewal follows a pause.
    if let servable {
      install(servable)
      lease.scheduleEarlyRenewal(after: pause)
    }
  }

  func end(because reason: AuthenticationError.SignInReason) {
    let hadLogin = latest != nil
    latest = nil
    releaseUnsaved()
    lease.clear()
    let isSignedOut = reason == .notSignedIn || reason == .signedOut
    log.log(
      level: isSignedOut ? .debug : .warning,
      isSignedOut ? "not signed in" : "the login has ended",
      metadata: ["account": "\(name)", "reason": "\(reason.rawValue)"])
    if hadLogin {
      reportDirectly(isSignedOut ? .signedOut : .ended(reason))
    } else {
      noticeChanged()
    }
  }
}

/// A failed renewal, kept so that later callers do not overload the server.
///
/// The first failure allows one immediate retry; after that, the pauses double, with jitter, up to
/// a minute. A time that the server names takes precedence, up to an hour: a long-lived program
/// must not trust one answer for days.
struct RenewalFailure {
  let error: any Error
  let count: Int
  /// The uptime before which callers receive the same error without a new attempt.
  let retryAt: Duration

  init(_ error: any Error, after previous: RenewalFailure?, time: TimeSource) {
    self.error = error
    count = (previous?.count ?? 0) + 1
    retryAt = time.uptime() + Self.pause(error, count: count, time: time)
  }

  private static func pause(_ error: any Error, count: Int, time: TimeSource) -> Duration {
    switch error {
    case AuthenticationError.signInRequired:
      // Only a new login helps, and its notice clears the failure.
      return .seconds(5)
    case AuthenticationError.temporarilyUnavailable(_, let retryAt?, _):
      return max(.zero, .seconds(min(3_600, retryAt.timeIntervalSince(time.wall()))))
    default:
      guard count > 1 else { return .zero }
      return .seconds(min(60, 1 << min(count - 2, 6))) * Double.random(in: 0.5...1)
    }
  }
}
