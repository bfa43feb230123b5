import Foundation
import HTTPTypes
import Networking
import SecureStore
import SystemSupport

/// The tokens of an account, as one sign-in or renewal obtained them.
struct Credential: Sendable {
  /// The grant with which the login began.
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
    /// The organisation that a parameter of the redirect named.
    var tenantID: String?
  }

  /// The organisation that the user chose among those that the login reaches.
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
  /// The redirect of the sign-in, if it had one.
  var redirect: Redirect?
  /// The organisation that the user chose, if the login reaches several; every renewal keeps it.
  var organisation: Organisation?
  /// The server's clock minus this machine's when the tokens were issued, in seconds.
  var clockSkew: TimeInterval?

  /// Creates the credential of a new login.
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

  /// True if there is an access token that can be sent.
  var hasAccessToken: Bool { TokenResponse.canBeHeaderValue(accessToken) }

  /// Returns true for a later generation of the same login.
  func isNewer(than other: Credential) -> Bool {
    loginID == other.loginID && generation.rawValue > other.generation.rawValue
  }

  /// The tokens alone, for a front end's own renewal.
  var tokens: TokenSet {
    TokenSet(
      accessToken: accessToken, refreshToken: refreshToken, expiresAt: expiresAt, scopes: scopes)
  }

  /// Returns the header field with the access token.
  func field(_ scheme: TokenScheme) -> HTTPField {
    scheme.field(for: accessToken.exposedText ?? "")
  }
}
