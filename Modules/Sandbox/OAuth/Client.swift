/// An application that is registered with the authorization server.
struct Client: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A client without a secret; it uses the code flow with PKCE or a device code (RFC 6749
    /// section 2.1).
    case `public`
    /// A client with a secret; it uses the client credentials grant.
    case confidential(secret: String)
  }

  static let machineID = "sandbox-machine"

  let id: String
  let kind: Kind

  /// The grants that the client may use at the token endpoint.
  var grants: Set<GrantType> {
    switch kind {
    case .public: [.authorizationCode, .deviceCode, .refreshToken]
    case .confidential: [.clientCredentials]
    }
  }
}

/// A grant of the token endpoint, by its name on the wire.
enum GrantType: String, Sendable, CaseIterable {
  case authorizationCode = "authorization_code"
  case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  case refreshToken = "refresh_token"
  case clientCredentials = "client_credentials"
}
