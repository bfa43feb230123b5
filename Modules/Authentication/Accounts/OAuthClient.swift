public import SecureStore

/// The client as which an account signs in (RFC 6749 section 2).
public struct OAuthClient: Sendable {
  /// The way in which a client sends its secret to the token endpoint.
  public enum Authentication: String, Sendable, Codable {
    /// No secret: a public client (RFC 8252 section 8.5).
    case none
    /// In the `Authorization` header (RFC 6749 section 2.3.1).
    case basic = "client_secret_basic"
    /// In the form (RFC 6749 section 2.3.1).
    case post = "client_secret_post"
  }

  /// The end of a sign-in in a browser: the address that receives the server's answer.
  public enum Redirect: Sendable, Hashable {
    /// A listener on this machine's loopback interface (RFC 8252 section 7.3); port 0 means any
    /// free one.
    case loopback(host: LoopbackHost = .address, port: Int = 0)
    /// An https page elsewhere; the user copies the address on which the browser ends, and pastes
    /// it.
    case page(String)
  }

  /// The host of a redirect URI on the loopback interface.
  public enum LoopbackHost: String, Sendable, CaseIterable {
    /// The literal address, which RFC 8252 section 8.3 recommends.
    case address = "127.0.0.1"
    /// The name, for servers that register no addresses.
    case localhost
  }

  /// The client identifier.
  public let id: String
  /// The client secret, for a confidential client.
  public let secret: Secret?
  /// The way in which the secret is sent.
  public let authentication: Authentication
  /// The end of a sign-in in a browser.
  public let redirect: Redirect

  /// The redirect URI; `nil` if each sign-in uses a new port.
  var redirectURI: String? {
    switch redirect {
    case .page(let uri): uri
    case .loopback(_, 0): nil
    case .loopback(let host, let port): LoopbackListener.redirectURI(host: host, port: port)
    }
  }

  /// Creates a client; without a secret it is a public client.
  public init(
    id: String, secret: Secret? = nil, authentication: Authentication = .basic,
    redirect: Redirect = .loopback()
  ) {
    self.id = id
    self.secret = secret
    self.authentication = secret == nil ? .none : authentication
    self.redirect = redirect
  }
}
