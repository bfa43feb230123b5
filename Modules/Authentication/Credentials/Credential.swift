import Foundation
import HTTPTypes
import Networking
import SecureStore
import SystemSupport

/// The tokens of an account, as one sign-in or renewal obtained them.
struct Credential: Sendable {
  enum Grant: String, Sendable, Codable {
    case authorizationCode = "authorization_code"
    case clientCredentials = "client_credentials"
    case deviceCode = "device_code"
    /// Pasted tokens, or tokens from a front end's own login.
    case provided
  }

  /// The redirect with which the user returned from signing in; every renewal keeps it.
  struct Redirect: Sendable, Codable, Equatable {
    /// The redirect URI, which some servers require again at each renewal.
    var uri: String
    var tenantID: String?
  }

  struct Organisation: Sendable, Codable, Equatable {
    var id: String
    var name: String?
  }

  /// The access token; empty if the server sent no usable one, so that only the refresh token
  /// counts.
  let accessToken: Secret
  let refreshToken: Secret?
  let expiresAt: Date?
  let obtainedAt: Date
  let scopes: [String]
  let grant: Grant
  /// The number that grows with every renewal and every sign-in, across all processes.
  let generation: CredentialGeneration
  /// A text that identifies the sign-in; renewals keep it.
  let loginID: String
  var redirect: Redirect?
  /// The organisation that the user chose, if the login reaches several; every renewal keeps it.
  var organisation: Organisation?
  /// The server's clock minus this machine's when the tokens were issued, in seconds.
  var clockSkew: TimeInterval?

  init(
    _ response: TokenResponse, after previous: CredentialGeneration?, scopes: [String],
    grant: Grant, now: Date
  ) {
    var tokens = response.tokens
    if response.scopes == nil { tokens.scopes = scopes }
    self.init(tokens, after: previous, grant: grant, now: now)
    clockSkew = response.clockSkew
  }

  /// Creates the credential that a renewal obtained; values that the server omits keep their old
  /// value (RFC 6749 section 6).
  init(renewing old: Credential, with response: TokenResponse, now: Date) {
    self.init(renewing: old, with: response.tokens, now: now)
    clockSkew = response.clockSkew
  }

  /// Creates the credential that a renewal obtained; omitted values keep their old value.
  init(renewing old: Credential, with tokens: TokenSet, now: Date) {
    var tokens = tokens
    tokens.refreshToken = tokens.refreshToken ?? old.refreshToken
    if tokens.scopes.isEmpty { tokens.scopes = old.scopes }
    self.init(tokens, after: old.generation, grant: old.grant, now: now, loginID: old.loginID)
    redirect = old.redirect
    organisation = old.organisation
  }

  init(
    _ tokens: TokenSet, after previous: CredentialGeneration?, grant: Grant, now: Date,
    loginID: String = UUID().uuidString
  ) {
    // The clock is the minimum, so that a login that was removed and created again never repeats a
    // generation that another process remembers.
    let clock = UInt64(clamping: now.timeIntervalSince1970 * 1_000, rounding: .down)
    self.init(
      tokens, obtainedAt: now, grant: grant,
      generation: CredentialGeneration(rawValue: max((previous?.rawValue ?? 0) + 1, clock)),
      loginID: loginID)
  }

  init(
    _ tokens: TokenSet, obtainedAt: Date, grant: Grant, generation: CredentialGeneration,
    loginID: String = UUID().uuidString
  ) {
    self.loginID = loginID
    accessToken = tokens.accessToken
    refreshToken = tokens.refreshToken
    // A front end may pass any date; one outside the calendar counts as unknown.
    expiresAt = tokens.expiresAt.flatMap { $0.isInCalendar ? $0 : nil }
    scopes = tokens.scopes
    self.obtainedAt = obtainedAt
    self.grant = grant
    self.generation = generation
  }

  var hasAccessToken: Bool { TokenResponse.canBeHeaderValue(accessToken) }

  func isNewer(than other: Credential) -> Bool {
    loginID == other.loginID && generation.rawValue > other.generation.rawValue
  }

  var tokens: TokenSet {
    TokenSet(
      accessToken: accessToken, refreshToken: refreshToken, expiresAt: expiresAt, scopes: scopes)
  }

  func field(_ scheme: TokenScheme) -> HTTPField {
    scheme.field(for: accessToken.exposedText ?? "")
  }
}

/// The margins before expiry: a credential is first due for early renewal, and later no longer
/// sent.
///
/// Both margins are fractions of the token's own lifetime, so that a short-lived token is neither
/// stale on arrival nor renewed in a loop.
extension Credential {
  private var lifetime: TimeInterval? {
    expiresAt.map { max(0, $0.timeIntervalSince(obtainedAt)) }
  }

  /// The time before expiry in which it is no longer sent: a tenth of its lifetime, at most 30 s.
  private var expiryMargin: TimeInterval { min(30, (lifetime ?? 0) / 10) }

  /// The time before expiry in which it is renewed early: a fifth of its lifetime, at most 5
  /// minutes.
  private var renewalMargin: TimeInterval { min(300, (lifetime ?? 0) / 5) }

  /// Returns the time from `now` to expiry; `nil` if that is unknown.
  ///
  /// It is never more than the whole lifetime: a clock that was set back does not prolong it.
  private func timeLeft(at now: Date) -> TimeInterval? {
    expiresAt.map { min($0.timeIntervalSince(now), lifetime ?? 0) }
  }

  /// Returns the time for which it may still be sent, in seconds; `nil` if its expiry is unknown.
  func remaining(at now: Date) -> TimeInterval? {
    timeLeft(at: now).map { $0 - expiryMargin }
  }

  func isUsable(at now: Date) -> Bool {
    hasAccessToken && (remaining(at: now).map { $0 > 0 } ?? true)
  }

  /// Returns the time until early renewal, in seconds; `nil` if the expiry is unknown.
  ///
  /// - Parameter jitter: 0 to 1, for up to a quarter of the margin earlier; it prevents
  ///   simultaneous renewals by processes that share a login.
  func timeToRenewal(at now: Date, jitter: Double = 0) -> TimeInterval? {
    timeLeft(at: now).map { $0 - renewalMargin * (1 + jitter / 4) }
  }

  /// Returns true if it is usable and no process, whatever its jitter, would renew it yet.
  func isFresh(at now: Date) -> Bool {
    hasAccessToken && (timeToRenewal(at: now, jitter: 1).map { $0 > 0 } ?? true)
  }
}
