import Foundation
import Logging
import Networking
import SystemSupport

/// The login of one account in this process: its newest credential, and the renewal, sign-in and
/// sign-out in progress.
///
/// ``Authenticator`` finds the account and forwards the call. Each account has its own actor, since
/// no rule spans two accounts. A change of state happens in one step, without a suspension between
/// its parts.
actor AccountLogin {
  nonisolated let account: Account
  /// The valid token, which requests read without entering the actor.
  nonisolated let lease: CredentialLease
  nonisolated let store: LoginStore

  /// The renewal in progress; no caller that waits for it owns it.
  var flight: SharedOutcome<Credential>?
  /// The task of that renewal; it is not cancelled once its exchange has begun.
  var flightTask: Task<Void, Never>?
  var signInTask: SharedTask<AccountStatus>?
  var storingSignIn: SharedTask<AccountStatus>?
  /// Grows with every sign-out by this process, so that a sign-in which one has ended can be
  /// recognised; another process's sign-out ends none here.
  var signOuts = 0
  /// The number of sign-outs that wait for the lock, and then remove whatever is stored.
  var signOutsAwaitingLock = 0
  /// Grows with every sign-in and sign-out, so that work which began before one can be recognised.
  var epoch = 0
  var latest: Credential?
  /// The reason and the lock of a latest credential that could not be stored.
  var unsaved: RenewalOutcome.Unsaved?
  /// The lock of an unsaved credential while a sign-in that replaces it stores under that lock.
  var signInLock: HeldLock?
  var isSaving = false
  var failure: RenewalFailure?
  var reported: ReportedChanges

  private let context: AuthenticatorContext
  private var server: AuthorizationServer?
  /// The uptimes of renewals after a 401 to a token that had not expired.
  private var forcedRenewals: [Duration] = []

  init(account: Account, store: LoginStore, context: AuthenticatorContext) {
    self.account = account
    self.store = store
    self.context = context
    reported = ReportedChanges(store.notice)
    lease = CredentialLease(time: context.time, scheme: account.tokenScheme)
  }

  nonisolated var name: String { account.name }
  nonisolated var session: Session { context.session }
  nonisolated var time: TimeSource { context.time }
  nonisolated var log: Logger { context.log }
  nonisolated var metrics: AuthenticationMetrics { context.metrics }
  nonisolated var changes: CredentialChangeBroadcast { context.changes }
  nonisolated var admission: ExchangeAdmission { context.admission }

  /// Counts a renewal after a 401; `false` after three in a minute.
  ///
  /// The server, or its clock, then refuses fresh tokens, so further renewals would not help.
  func admitsForcedRenewal() -> Bool {
    let now = time.uptime()
    forcedRenewals.removeAll { now - $0 > .seconds(60) }
    guard forcedRenewals.count < 3 else { return false }
    forcedRenewals.append(now)
    return true
  }

  func install(_ credential: Credential) {
    let now = time.wall()
    let canBeRenewed =
      credential.refreshToken != nil || credential.grant == .clientCredentials
      || account.refresh != nil
    let renewal = credential.timeToRenewal(at: now, jitter: .random(in: 0...1))
    lease.install(
      credential,
      remaining: credential.remaining(at: now).map { .seconds(max(0, $0)) },
      renewal: canBeRenewed ? renewal.map { .seconds(max(0, $0)) } : nil)
  }

  func forget() {
    epoch += 1
    flight = nil
    flightTask = nil
    latest = nil
    releaseUnsaved()
    isSaving = false
    forcedRenewals = []
    failure = nil
    lease.clear()
  }

  /// Gives up a credential that could not be stored, and the lock that was kept for it, unless a
  /// sign-in is still using the lock.
  func releaseUnsaved() {
    if let lock = unsaved?.lock, lock !== signInLock { lock.release() }
    unsaved = nil
  }

  /// Returns the token endpoint, which is discovered once if only its issuer is known.
  ///
  /// - Throws: ``AuthenticationError/misconfigured(account:reason:)``, and the errors of the
  ///   session.
  func endpoint() async throws -> TokenEndpoint {
    let server: AuthorizationServer
    switch (self.server, account.server) {
    case (let known?, _), (nil, .endpoints(let known)): server = known
    case (nil, .discovery(let issuer, let given)):
      do {
        server = try await ServerDiscovery(session: session).server(of: issuer, given: given)
      } catch let error as DiscoveryError where error.isOfConfiguration {
        throw AuthenticationError.misconfigured(account: name, reason: "\(error)")
      }
    }
    guard AuthorizationServer.isTrustworthy(server.tokenEndpoint) else {
      throw AuthenticationError.misconfigured(
        account: name, reason: "its tokenURL must be an https address, or on this machine")
    }
    self.server = server
    return TokenEndpoint(
      server: server, account: account, session: session, time: time,
      onRequest: { [counter = context.tokenRequests] in counter.increment() })
  }

  func metadata(of credential: Credential) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "account": "\(name)", "generation": "\(credential.generation.rawValue)",
    ]
    if let seconds = credential.remaining(at: time.wall()) {
      metadata["validFor"] = "\(max(0, Int(clamping: seconds, rounding: .down)))s"
    }
    return metadata
  }
}
