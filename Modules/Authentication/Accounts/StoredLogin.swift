/// The stored login of an account, which may have been made with another configuration; it holds no
/// secret.
public struct StoredLogin: Sendable, Equatable {
  /// The authorization server that issued the tokens: its issuer or token endpoint; or the
  /// API's origin, if the login differs from the configured account in that alone.
  public let server: String
  /// The client as which the account signed in; empty for a token that was passed.
  public let clientID: String
  /// False if the configured account has another server, client or API; the login is then not used.
  public let isOwn: Bool
  /// The identifier of the organisation that the user chose.
  public let organisationID: String?
  /// The name of that organisation, if the provider states one.
  public let organisationName: String?
}
