import Authentication
import Foundation
import Networking
import Sync

/// The providers that are built in, and where each is found.
enum ProviderCatalogue {
  static let names = ["xero"]

  /// What an account of the provider asks for unless it is configured otherwise.
  static func scopes(of provider: String) -> [String] {
    // https://developer.xero.com/documentation/guides/oauth2/scopes/
    ["offline_access", "accounting.transactions.read", "accounting.contacts.read"]
  }

  /// What the provider's authorization server does with a refresh token that was spent already.
  static func replay(of provider: String) -> RefreshTokenReplay {
    // "you can retry with the existing refresh token for a grace period of 30 minutes":
    // https://developer.xero.com/documentation/guides/oauth2/auth-flow/
    .accepted(for: .seconds(1_800))
  }

  /// Where the provider's API is.
  static func baseURL(_ endpoints: ProviderEndpoints) throws -> URL {
    try url(endpoints.baseURL ?? XeroProvider.defaultBaseURL, key: "baseURL")
  }

  /// Where an account of the provider signs in.
  static func server(_ endpoints: ProviderEndpoints) throws -> AuthorizationServerSource {
    if let issuer = endpoints.issuer {
      return .discovery(issuer: try url(issuer, key: "issuer"))
    }
    // https://developer.xero.com/documentation/guides/oauth2/auth-flow/
    return .endpoints(
      AuthorizationServer(
        authorizationEndpoint: try url(
          endpoints.authorizationURL ?? "https://login.xero.com/identity/connect/authorize",
          key: "authorizationURL"),
        tokenEndpoint: try url(
          endpoints.tokenURL ?? "https://identity.xero.com/connect/token", key: "tokenURL"),
        revocationEndpoint: try url(
          endpoints.revocationURL ?? "https://identity.xero.com/connect/revocation",
          key: "revocationURL"),
        deviceAuthorizationEndpoint: try endpoints.deviceAuthorizationURL.map {
          try url($0, key: "deviceAuthorizationURL")
        }))
  }

  private static func url(_ text: String, key: String) throws -> URL {
    guard let url = URL(string: text) else {
      throw ConfigurationError(source: "providers", key: key, problem: "not a URL")
    }
    return url
  }
}
