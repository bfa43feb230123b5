/// The metadata document of the authorization server (RFC 8414 section 2).
enum ServerMetadata {
  static func json(issuer: String, announcesIssuer: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("issuer", issuer)
      writer.member("authorization_endpoint", issuer + "/connect/authorize")
      writer.member("token_endpoint", issuer + "/connect/token")
      writer.member("device_authorization_endpoint", issuer + OAuthRoutes.deviceAuthorizationPath)
      writer.member("revocation_endpoint", issuer + "/connect/revoke")
      for (name, values) in lists {
        writer.key(name)
        writer.array { writer in
          for value in values { writer.string(value) }
        }
      }
      if announcesIssuer {
        writer.member("authorization_response_iss_parameter_supported", true)
      }
    }
    return writer.bytes
  }

  private static let authenticationMethods = ["none", "client_secret_basic", "client_secret_post"]
  private static let lists: [(name: String, values: [String])] = [
    ("response_types_supported", ["code"]),
    ("response_modes_supported", ["query"]),
    ("grant_types_supported", GrantType.allCases.map(\.rawValue)),
    ("code_challenge_methods_supported", ["S256"]),
    ("token_endpoint_auth_methods_supported", authenticationMethods),
    ("revocation_endpoint_auth_methods_supported", authenticationMethods),
  ]
}
