import Foundation
import HTTPTypes
import Networking
import SecureStore

/// The tokens of an account at one moment.
struct Credential: Sendable {
  /// How the tokens were first obtained.
  enum Grant: String, Sendable, Codable {
    case authorizationCode = "authorization_code"
    case clientCredentials = "client_credentials"
    case deviceCode = "device_code"
    /// Pasted, or of a front end's own login.
    case provided
  }

  /// Empty where the server sent none that can be used: then only the refresh token is of use.
  let accessToken: Secret
  let refreshToken: Secret?
  let expiresAt: Date?
  let obtainedAt: Date
  let scopes: [String]
  let grant: Grant
  /// Grows with every renewal and every sign-in, in all processes together.
  let generation: CredentialGeneration
  /// Tells this sign-in from every other; renewals keep it.
  let login: String
  /// How a person came back from signing in, where one did so by a redirect.
  var redirect: Redirect?
  /// How far the server's clock was ahead of ours when the tokens were issued, in seconds.
  var clockSkew: TimeInterval?

  /// A new login.
  init(
    _ response: TokenResponse, after previous: CredentialGeneration?, scopes: [String],
    grant: Grant, now: Date
  ) {
    var tokens = response.tokens
    if response.scopes == nil { tokens.scopes = scopes }
    self.init(tokens, after: previous, grant: grant, now: now)
    clockSkew = response.clockSkew
  }

  /// What a renewal brought; what the server left out stays as it was (RFC 6749 section 6).
  init(renewing old: Credential, with response: TokenResponse, now: Date) {
    self.init(renewing: old, with: response.tokens, now: now)
    clockSkew = response.clockSkew
  }

  /// What a renewal brought; what was left out stays as it was.
  init(renewing old: Credential, with tokens: TokenSet, now: Date) {
    var tokens = tokens
    tokens.refreshToken = tokens.refreshToken ?? old.refreshToken
    if tokens.scopes.isEmpty { tokens.scopes = old.scopes }
    self.init(tokens, after: old.generation, grant: old.grant, now: now, login: old.login)
    redirect = old.redirect
  }

  init(
    _ tokens: TokenSet, after previous: CredentialGeneration?, grant: Grant, now: Date,
    login: String = UUID().uuidString
  ) {
    // Counting goes on from the clock, so that a login that was removed and made again never
    // repeats a generation which another process still remembers.
    let clock = UInt64(max(0, now.timeIntervalSince1970 * 1_000))
    self.init(
      tokens, obtainedAt: now, grant: grant,
      generation: CredentialGeneration(rawValue: max((previous?.rawValue ?? 0) + 1, clock)),
      login: login)
  }

  init(
    _ tokens: TokenSet, obtainedAt: Date, grant: Grant, generation: CredentialGeneration,
    login: String = UUID().uuidString
  ) {
    self.login = login
    accessToken = tokens.accessToken
    refreshToken = tokens.refreshToken
    // What a front end says may be anything; without a calendar's date there is no known end.
    expiresAt = tokens.expiresAt.flatMap { $0.isInCalendar ? $0 : nil }
    scopes = tokens.scopes
    self.obtainedAt = obtainedAt
    self.grant = grant
    self.generation = generation
  }

  /// Whether there is an access token that can be sent.
  var hasAccessToken: Bool { TokenResponse.canBeHeaderValue(accessToken) }

  /// The tokens alone, as a front end's own renewal is given them.
  var tokens: TokenSet {
    TokenSet(
      accessToken: accessToken, refreshToken: refreshToken, expiresAt: expiresAt, scopes: scopes)
  }

  /// The field that shows the access token to an API.
  func field(_ scheme: TokenScheme) -> HTTPField {
    scheme.field(for: accessToken.exposedText ?? "")
  }
}
