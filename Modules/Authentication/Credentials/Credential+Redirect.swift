extension Credential {
  /// What is known from the redirect by which a person came back from signing in; every renewal keeps it.
  struct Redirect: Sendable, Codable, Equatable {
    /// The redirect URI, as some servers want to see it again.
    var uri: String
    /// The organisation that a parameter of it named.
    var tenantID: String?
  }
}
