/// A refusal in the terms of RFC 6749 sections 4.1.2.1 and 5.2, and RFC 8628 section 3.5.
struct OAuthError: Error, Equatable {
  enum Code: String, Sendable {
    case accessDenied = "access_denied"
    case authorizationPending = "authorization_pending"
    case expiredToken = "expired_token"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case slowDown = "slow_down"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
  }

  var code: Code
  var description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("error", code.rawValue)
      writer.member("error_description", description)
    }
    return writer.bytes
  }
}
