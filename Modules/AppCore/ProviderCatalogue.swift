import Authentication
import Foundation
import Networking
import Sync

/// The providers that are built in, and what the core makes of them.
enum ProviderCatalogue {
  private static let all: [any Provider] = [
    XeroProvider(), QuickBooksProvider(), StripeProvider(), SquareProvider(), MoneybirdProvider(),
  ]

  static var names: [String] { all.map(\.name) }

  /// The provider of an account.
  ///
  /// - Throws: ``ConfigurationError`` where there is none of that name.
  static func provider(_ name: String) throws -> any Provider {
    guard let provider = all.first(where: { $0.name == name }) else {
      throw ConfigurationError(
        source: "provider",
        problem: "there is no provider '\(name)'; there are " + names.joined(separator: ", "))
    }
    return provider
  }
}

extension Provider {
  /// What the provider's authorization server does with a refresh token that was spent already.
  var replay: RefreshTokenReplay {
    traits.refreshTokenGrace.map { .accepted(for: $0) } ?? .refused
  }

  /// How the provider's token endpoint wants to be shown a secret.
  var clientAuthentication: OAuthClient.Authentication {
    switch traits.clientAuthentication {
    case .basic: .basic
    case .post: .post
    }
  }

  /// Where the provider's API is.
  func baseURL(_ endpoints: ProviderEndpoints) throws -> URL {
    try Self.url(endpoints.baseURL ?? traits.baseURL, key: "baseURL")
  }

  /// The configuration of a session with what the provider publishes, unless it says something of its
  /// own; another server under the provider's name has limits of its own.
  func bounded(
    _ session: SessionConfiguration, _ endpoints: ProviderEndpoints
  ) -> SessionConfiguration {
    guard endpoints.baseURL == nil else { return session }
    var session = session
    session.rateLimit = session.rateLimit ?? traits.rateLimit
    if let concurrency = traits.concurrency {
      session.concurrency = min(session.concurrency, concurrency)
    }
    return session
  }

  /// Where an account of the provider signs in.
  func server(_ endpoints: ProviderEndpoints) throws -> AuthorizationServerSource {
    if let issuer = endpoints.issuer {
      return .discovery(issuer: try Self.url(issuer, key: "issuer"))
    }
    let traits = traits
    return .endpoints(
      AuthorizationServer(
        authorizationEndpoint: try Self.url(
          endpoints.authorizationURL ?? traits.authorizationURL, key: "authorizationURL"),
        tokenEndpoint: try Self.url(endpoints.tokenURL ?? traits.tokenURL, key: "tokenURL"),
        revocationEndpoint: try (endpoints.revocationURL ?? traits.revocationURL).map {
          try Self.url($0, key: "revocationURL")
        },
        deviceAuthorizationEndpoint: try endpoints.deviceAuthorizationURL.map {
          try Self.url($0, key: "deviceAuthorizationURL")
        }))
  }

  private static func url(_ text: String, key: String) throws -> URL {
    guard let url = URL(string: text) else {
      throw ConfigurationError(source: "providers", key: key, problem: "not a URL")
    }
    return url
  }
}
