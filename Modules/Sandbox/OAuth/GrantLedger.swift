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
    var grantID: Int?
    var isSpent = false
  }

  /// The user's consent and all the tokens that descend from it.
  struct Grant: Sendable, Codable {
    var clientID: String
    var scope: Scope
    var redirectURI: String?
    var isRevoked = false
  }

  struct RefreshToken: Sendable, Codable {
    var grantID: Int
    var spentAt: Instant?
  }

  struct AccessToken: Sendable, Codable {
    var grantID: Int
    var expiresAt: Instant
  }

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

  func accepts(accessToken: String, at now: Instant) -> Bool {
    guard let token = accessTokens[accessToken] else { return false }
    return now < token.expiresAt && !grants[token.grantID].isRevoked
  }

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

  private mutating func addGrant(clientID: String, scope: Scope, redirectURI: String? = nil) -> Int
  {
    grants.append(Grant(clientID: clientID, scope: scope, redirectURI: redirectURI))
    return grants.count - 1
  }

  mutating func issueCode(for request: AuthorizationRequest, at now: Instant) -> String {
    let code = RandomToken.make()
    codes[code] = Code(request: request, expiresAt: now + Self.codeLifetime)
    return code
  }

  /// Exchanges a code (RFC 6749 section 4.1.3, RFC 7636 section 4.6).
  ///
  /// The first attempt spends a code, even if it fails. A second attempt revokes the tokens that
  /// the first one issued.
  mutating func exchange(
    code: String, clientID: String, redirectURI: String, verifier: String, at now: Instant
  ) throws(OAuthError) -> TokenReply {
    guard var entry = codes[code] else {
      throw OAuthError(.invalidGrant, "The code is unknown.")
    }
    guard !entry.isSpent else {
      counts.codeReuse += 1
      if let grantID = entry.grantID { grants[grantID].isRevoked = true }
      throw OAuthError(.invalidGrant, "The code was used before.")
    }
    entry.isSpent = true
    codes[code] = entry
    guard entry.request.clientID == clientID, entry.request.redirectURI.text == redirectURI,
      now < entry.expiresAt
    else {
      throw OAuthError(.invalidGrant, "The code expired, or is another client's or redirect's.")
    }
    guard CodeChallenge.isWellFormed(verifier),
      CodeChallenge.challenge(for: verifier) == entry.request.challenge
    else {
      throw OAuthError(.invalidGrant, "The code verifier does not match the challenge.")
    }
    let grantID = addGrant(
      clientID: clientID, scope: entry.request.scope, redirectURI: redirectURI)
    codes[code]?.grantID = grantID
    return issue(grantID: grantID, scope: entry.request.scope, canRefresh: true, at: now)
  }

  /// Exchanges a refresh token for a new pair and spends it (RFC 6749 section 6).
  ///
  /// A spent token that is repeated after the grace revokes its grant (RFC 9700 section 4.14.2).
  mutating func refresh(
    token: String, clientID: String, scope: Scope?, redirectURI: String? = nil, at now: Instant
  ) throws(OAuthError) -> TokenReply {
    guard let entry = refreshTokens[token], grants[entry.grantID].clientID == clientID else {
      throw OAuthError(.invalidGrant, "The refresh token is unknown.")
    }
    guard !refreshNeedsRedirectURI || redirectURI == grants[entry.grantID].redirectURI else {
      throw OAuthError(.invalidGrant, "The redirect URI is not the one of the sign-in.")
    }
    let isReused = entry.spentAt.map { now - $0 >= reuseGrace } ?? false
    if isReused {
      counts.refreshReuse += 1
      grants[entry.grantID].isRevoked = true
    }
    let grant = grants[entry.grantID]
    guard !grant.isRevoked else {
      throw OAuthError(.invalidGrant, "The refresh token was used before or is revoked.")
    }
    guard scope?.isSubset(of: grant.scope) ?? true else {
      throw OAuthError(.invalidScope, "The scope is wider than the one that was granted.")
    }
    // A repetition within the grace does not extend it.
    refreshTokens[token]?.spentAt = entry.spentAt ?? now
    return issue(grantID: entry.grantID, scope: scope ?? grant.scope, canRefresh: true, at: now)
  }

  /// Issues a token to a confidential client itself (RFC 6749 section 4.4).
  mutating func issueMachineToken(clientID: String, scope: Scope, at now: Instant) -> TokenReply {
    let grantID = addGrant(clientID: clientID, scope: scope)
    return issue(grantID: grantID, scope: scope, canRefresh: false, at: now)
  }

  /// Revokes a token (RFC 7009); a refresh token revokes its whole grant.
  ///
  /// An unknown or ended token is no error (section 2.2).
  mutating func revoke(token: String, clientID: String) throws(OAuthError) {
    guard let grantID = refreshTokens[token]?.grantID ?? accessTokens[token]?.grantID else {
      return
    }
    guard grants[grantID].clientID == clientID else {
      throw OAuthError(.invalidGrant, "The token was issued to another client.")
    }
    guard !grants[grantID].isRevoked else { return }
    counts.revocations += 1
    if refreshTokens[token] != nil {
      grants[grantID].isRevoked = true
    } else {
      accessTokens[token] = nil
    }
  }
}

/// A device that waits for the user's approval (RFC 8628).
struct DeviceGrant: Sendable {
  enum Decision: Sendable {
    case approved, denied
  }

  let deviceCode: String
  let userCode: String
  let clientID: String
  let scope: Scope
  let expiresAt: GrantLedger.Instant
  var interval: Duration
  var lastAskedAt: GrantLedger.Instant?
  var decision: Decision?
  var isSpent = false
}

extension GrantLedger {
  static let deviceCodeLifetime = Duration.seconds(600)

  mutating func issueDeviceCode(clientID: String, scope: Scope, at now: Instant) -> DeviceGrant {
    // Letters that cannot be confused with one another (RFC 8628 section 6.1).
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let word = (0..<8).compactMap { _ in letters.randomElement() }
    let device = DeviceGrant(
      deviceCode: RandomToken.make(), userCode: String(word[..<4]) + "-" + String(word[4...]),
      clientID: clientID, scope: scope, expiresAt: now + Self.deviceCodeLifetime,
      interval: deviceInterval)
    devices[device.deviceCode] = device
    return device
  }

  func undecidedDevice(userCode: String, at now: Instant) -> DeviceGrant? {
    devices.values.first {
      $0.userCode == userCode.uppercased() && $0.decision == nil && now < $0.expiresAt
    }
  }

  mutating func decide(userCode: String, isApproved: Bool, at now: Instant) -> Bool {
    guard let device = undecidedDevice(userCode: userCode, at: now) else { return false }
    devices[device.deviceCode]?.decision = isApproved ? .approved : .denied
    return true
  }

  /// Exchanges a device code once it was approved (RFC 8628 sections 3.4 and 3.5).
  mutating func exchange(
    deviceCode: String, clientID: String, at now: Instant
  ) throws(OAuthError) -> TokenReply {
    guard var device = devices[deviceCode], device.clientID == clientID, !device.isSpent else {
      throw OAuthError(.invalidGrant, "The device code is unknown or was used before.")
    }
    guard now < device.expiresAt else {
      throw OAuthError(.expiredToken, "The device code has expired.")
    }
    let isHasty = device.lastAskedAt.map { now - $0 < device.interval } ?? false
    device.lastAskedAt = now
    if isHasty { device.interval += .seconds(5) }
    device.isSpent = device.decision != nil && !isHasty
    devices[deviceCode] = device
    if isHasty { throw OAuthError(.slowDown, "The device asks too often.") }
    switch device.decision {
    case nil: throw OAuthError(.authorizationPending, "Nobody has decided yet.")
    case .denied: throw OAuthError(.accessDenied, "The user denied the request.")
    case .approved:
      let grantID = addGrant(clientID: clientID, scope: device.scope)
      return issue(grantID: grantID, scope: device.scope, canRefresh: true, at: now)
    }
  }
}

extension DeviceGrant {
  /// Returns the response of the device authorization endpoint (RFC 8628 section 3.2).
  func json(page: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("device_code", deviceCode)
      writer.member("user_code", userCode)
      writer.member("verification_uri", page)
      writer.member("verification_uri_complete", page + "?user_code=" + userCode)
      writer.member("expires_in", Int(GrantLedger.deviceCodeLifetime.components.seconds))
      writer.member("interval", Int(interval.components.seconds))
    }
  }
}

/// The tokens for which a grant is exchanged (RFC 6749 section 5.1).
struct TokenReply: Sendable, Hashable {
  var accessToken: String
  var expiresIn: Duration
  var refreshToken: String?
  var scope: Scope

  var json: [UInt8] {
    JSONWriter.object { writer in
      writer.member("access_token", accessToken)
      writer.member("token_type", "Bearer")
      writer.member("expires_in", Int(expiresIn.components.seconds))
      writer.member(ifPresent: refreshToken, "refresh_token")
      writer.member("scope", scope.text)
    }
  }
}
