/// Every code, grant and token that the authorization server has issued.
///
/// It is a plain value that is changed under one lock: a request either finds a token unspent and
/// spends it, or finds it spent.
struct GrantLedger: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// A code, which may be exchanged once (RFC 6749 section 4.1.2).
  struct Code: Sendable {
    var request: AuthorizationRequest
    var expiresAt: Instant
    /// The grant for which the code was exchanged.
    var grantID: Int?
    var isSpent = false
  }

  /// The user's consent and all the tokens that descend from it.
  struct Grant: Sendable {
    var clientID: String
    var scope: Scope
    /// The redirect URI of the sign-in, if there was one.
    var redirectURI: String?
    var isRevoked = false
  }

  struct RefreshToken: Sendable {
    var grantID: Int
    var spentAt: Instant?
  }

  struct AccessToken: Sendable {
    var grantID: Int
    var expiresAt: Instant
  }

  /// The counts in the statistics.
  struct Counts: Sendable {
    var refreshReuse = 0
    var codeReuse = 0
    var revocations = 0
  }

  var tokenLifetime: Duration
  let reuseGrace: Duration
  /// The shortest time between two polls of a device (RFC 8628 section 3.2).
  let deviceInterval: Duration
  /// The lifetime of a code; RFC 6749 recommends at most ten minutes.
  static let codeLifetime = Duration.seconds(300)

  /// True if a renewal has to repeat the redirect URI.
  var refreshNeedsRedirectURI = false
  var codes: [String: Code] = [:]
  var devices: [String: DeviceGrant] = [:]
  var grants: [Grant] = []
  var refreshTokens: [String: RefreshToken] = [:]
  var accessTokens: [String: AccessToken] = [:]
  var counts = Counts()

  init(
    tokenLifetime: Duration, reuseGrace: Duration, deviceInterval: Duration = .seconds(5)
  ) {
    self.deviceInterval = deviceInterval
    self.tokenLifetime = tokenLifetime
    self.reuseGrace = reuseGrace
  }

  /// Returns true if a token is currently valid for the API.
  func accepts(accessToken: String, at now: Instant) -> Bool {
    guard let token = accessTokens[accessToken] else { return false }
    return now < token.expiresAt && !grants[token.grantID].isRevoked
  }

  /// Ends every access token; refresh tokens stay valid.
  mutating func expireAccessTokens() {
    accessTokens.removeAll()
  }

  /// Issues tokens of a grant; a refresh token only if the scope includes `offline_access`.
  mutating func issue(
    grantID: Int, scope: Scope, canRefresh: Bool, at now: Instant
  ) -> TokenReply {
    let reply = TokenReply(
      accessToken: RandomToken.make(),
      expiresIn: tokenLifetime,
      refreshToken: canRefresh && grants[grantID].scope.isOffline ? RandomToken.make() : nil,
      scope: scope)
    accessTokens[reply.accessToken] = AccessToken(grantID: grantID, expiresAt: now + tokenLifetime)
    if let refreshToken = reply.refreshToken {
      refreshTokens[refreshToken] = RefreshToken(grantID: grantID)
    }
    return reply
  }

  mutating func addGrant(clientID: String, scope: Scope, redirectURI: String? = nil) -> Int {
    grants.append(Grant(clientID: clientID, scope: scope, redirectURI: redirectURI))
    return grants.count - 1
  }
}
