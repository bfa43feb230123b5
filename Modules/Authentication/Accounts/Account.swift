public import Foundation
public import HTTPTypes
public import Networking
public import SecureStore

/// A configured account: its name, its authorization server and its client.
public struct Account: Sendable {
  /// A front end's own renewal of tokens, instead of the token endpoint.
  ///
  /// It receives the current tokens, and is called once for all waiting callers. If it throws
  /// ``AuthenticationError/signInRequired(account:reason:message:)``, the login ends; any other
  /// error leaves the login unchanged. Values that it omits (`nil`) keep their old value.
  ///
  /// If it takes longer than a request of the `auth` session may, its task is cancelled, and the
  /// renewal fails as soon as it returns: it must respond to cancellation.
  public typealias Refresh = @Sendable (TokenSet) async throws -> TokenSet

  /// The name that the user gives the account, such as `default`; a keyring entry and a lock file
  /// are named after it.
  public let name: String
  /// The authorization server.
  public let server: AuthorizationServerSource
  /// The client with which the account signs in.
  public let client: OAuthClient
  /// The scopes that a sign-in requests.
  public let scopes: [String]
  /// The resources that the tokens are for (RFC 8707 section 2).
  public var resources: [URL] = []
  /// The API's origin; a login for another one is not used.
  public var apiOrigin: Origin?
  /// The API that the tokens are for; some servers expect it instead of `resource`.
  public var audience: String?
  /// The scheme of the header with the access token.
  public var tokenScheme = TokenScheme.bearer
  /// The header field in which requests carry the client's secret beside the token, for an API that
  /// expects two secrets.
  public var secretHeader: HTTPField.Name?
  /// The server's reaction to a refresh token that is sent again after it was spent.
  public var replay = RefreshTokenReplay.refused
  /// True if a renewal repeats the redirect URI of the sign-in, as FreshBooks requires.
  public var refreshSendsRedirectURI = false
  /// True if the token endpoint takes JSON instead of a form, as Square's does.
  public var sendsJSONTokenRequests = false
  /// The parameter of the redirect after a sign-in that names the organisation, such as QuickBooks'
  /// `realmId`; its value is kept with the login.
  public var redirectTenantParameter: String?
  /// Tokens from outside, such as a service's credential; they are used instead of a stored login,
  /// and never stored.
  public var providedTokens: TokenSet?
  /// Renews tokens instead of the token endpoint, if a front end has a login of its own.
  public var refresh: Refresh?

  /// Creates an account, or returns `nil` unless the name is 1 to 64 letters, digits, `.`, `_` or
  /// `-` and begins with a letter or digit.
  public init?(
    name: String, server: AuthorizationServerSource, client: OAuthClient, scopes: [String] = []
  ) {
    guard Self.isValid(name: name) else { return nil }
    self.name = name
    self.server = server
    self.client = client
    self.scopes = scopes
  }

  /// False if no server renews its tokens; a refresh token among them is then sent nowhere.
  package var hasTokenEndpoint = true

  /// Returns true if a text can name an account.
  public static func isValid(name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.isASCIILetterOrDigit else { return false }
    return name.unicodeScalars.count <= 64
      && name.unicodeScalars.allSatisfy {
        $0.isASCIILetterOrDigit || "._-".unicodeScalars.contains($0)
      }
  }

  /// The second secret of each request to the API; `nil` if it has one alone.
  package var secondSecret: SecondSecret? {
    secretHeader.flatMap { name in client.secret.map { SecondSecret(name: name, secret: $0) } }
  }

  var targetFields: [(name: String, value: String)] {
    resources.map { (name: "resource", value: $0.absoluteString) }
      + (audience.map { [(name: "audience", value: $0)] } ?? [])
  }
}

/// A secret that requests to an API carry in a header field of its own, beside the token.
package struct SecondSecret: Sendable {
  let name: HTTPField.Name
  let secret: Secret

  func write(to request: inout HTTPRequest) {
    request.headerFields[name] = secret.exposedText
  }
}

/// A server's reaction to a refresh token that is sent again after it was spent.
///
/// It decides what follows an exchange whose response was lost in a crash or on the network: the
/// token is sent again immediately, only when the login is lost anyway, or never.
public enum RefreshTokenReplay: Sendable, Hashable {
  /// The server accepts the token for this long after it was spent, as Xero does for 30 minutes.
  case accepted(for: Duration)
  /// The server refuses the token, which at worst ends a login that is lost anyway. It is sent
  /// again once the access token has expired, so an exchange that never reached the server costs no
  /// sign-in.
  case refused
  /// The token must not be sent: its reuse revokes every token of the sign-in, whoever holds it
  /// (RFC 9700 section 4.14.2). After an interrupted renewal the user has to sign in.
  case forbidden
}

extension Unicode.Scalar {
  fileprivate var isASCIILetterOrDigit: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}

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
