public import Foundation
public import Networking

/// An account as it is configured: who it is called, where it signs in and as which client.
public struct Account: Sendable {
  /// A front end's own way to renew tokens, in place of the token endpoint.
  ///
  /// It is given the current tokens, and called once for all who wait. Where it throws
  /// ``AuthenticationError/signInRequired(account:reason:)`` the login ends; any other error leaves
  /// it as it is. What it leaves out (`nil`) stays as it was.
  public typealias Refresh = @Sendable (TokenSet) async throws -> TokenSet

  /// The name people give it, such as `default`; it is shown, and names a key and a lock file.
  public let name: String
  /// Where it signs in.
  public let server: AuthorizationServerSource
  /// The client that it signs in with.
  public let client: OAuthClient
  /// What is asked for at sign-in.
  public let scopes: [String]
  /// The resources that the tokens are for (RFC 8707 section 2).
  public var resources: [URL] = []
  /// The API's origin: a login that was made for another one is not used.
  public var apiOrigin: Origin?
  /// The API that the tokens are for, as some servers want it in place of `resource`.
  public var audience: String?
  /// How the access token is shown to the API.
  public var tokenScheme = TokenScheme.bearer
  /// What the server does with a refresh token that is sent once more after it was spent.
  public var replay = RefreshTokenReplay.refused
  /// Whether a renewal names the redirect URI of the sign-in once more, as FreshBooks wants it.
  public var refreshSendsRedirectURI = false
  /// The parameter of the redirect after a sign-in that names the organisation, such as QuickBooks'
  /// `realmId`; what it says is kept with the login.
  public var redirectTenantParameter: String?
  /// Tokens that are there from outside, such as a service's credential: used in place of a stored
  /// login, and never stored.
  public var providedTokens: TokenSet?
  /// Renews tokens in place of the token endpoint, where a front end has a login of its own.
  public var refresh: Refresh?

  /// Creates an account, or `nil` where the name is not 1 to 64 letters, digits, `.`, `_` or `-`,
  /// beginning with a letter or digit.
  public init?(
    name: String, server: AuthorizationServerSource, client: OAuthClient, scopes: [String] = []
  ) {
    guard Self.isValid(name: name) else { return nil }
    self.name = name
    self.server = server
    self.client = client
    self.scopes = scopes
  }

  /// Whether there is a server that renews its tokens; else a refresh token that was handed over with
  /// others is sent nowhere.
  package var hasTokenEndpoint = true

  /// Whether a text can name an account.
  public static func isValid(name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.isASCIILetterOrDigit else { return false }
    return name.unicodeScalars.count <= 64
      && name.unicodeScalars.allSatisfy {
        $0.isASCIILetterOrDigit || "._-".unicodeScalars.contains($0)
      }
  }

  /// The form fields that say what tokens are for.
  var targetFields: [(name: String, value: String)] {
    resources.map { (name: "resource", value: $0.absoluteString) }
      + (audience.map { [(name: "audience", value: $0)] } ?? [])
  }
}

/// What a server does with a refresh token that is sent once more after it was spent.
///
/// It decides what follows an exchange whose answer was lost, to a crash or to the network: whether
/// the token is sent again at once, only when there is nothing left to lose, or never.
public enum RefreshTokenReplay: Sendable, Hashable {
  /// It is accepted for so long after it was spent, as Xero does for 30 minutes.
  case accepted(for: Duration)
  /// It is refused, and at worst ends a login that is lost anyway: it is sent again only when the access
  /// token is of no use any more. An exchange that never reached the server so costs nobody a sign-in.
  case refused
  /// It must not be sent, since its reuse revokes all that descends from the sign-in, in whosever hands
  /// (RFC 9700 section 4.14.2): after an interrupted renewal a person has to sign in.
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
