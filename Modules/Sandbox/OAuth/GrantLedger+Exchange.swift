extension GrantLedger {
  /// Issues a code for an approved request.
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
