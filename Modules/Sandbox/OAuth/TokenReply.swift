/// The tokens for which a grant is exchanged (RFC 6749 section 5.1).
struct TokenReply: Sendable, Hashable {
  var accessToken: String
  var expiresIn: Duration
  var refreshToken: String?
  var scope: Scope

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("access_token", accessToken)
      writer.member("token_type", "Bearer")
      writer.member("expires_in", Int(expiresIn.components.seconds))
      writer.member(ifPresent: refreshToken, "refresh_token")
      writer.member("scope", scope.text)
    }
    return writer.bytes
  }
}
