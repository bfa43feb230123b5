import Authentication
import Foundation
import Networking
import Providers
import Sync

/// The providers that are built in, those of the front end, and those that the configuration
/// describes; and what the core makes of them.
enum ProviderCatalogue {
  private static let builtIn: [any Provider] = [
    XeroProvider(), QuickBooksProvider(), StripeProvider(), SquareProvider(), MoneybirdProvider(),
  ]

  /// The names of those that have code, the front end's own included.
  static func names(with own: [any Provider]) -> [String] { (builtIn + own).map(\.name) }

  /// Sees to it that every provider of the front end's own can be named, and no name means two.
  ///
  /// - Throws: ``ConfigurationError``.
  static func check(_ own: [any Provider], described: some Sequence<String> = []) throws {
    var taken = Set(builtIn.map(\.name)).union(described)
    for name in own.map(\.name) {
      guard Account.isValid(name: name) else {
        throw ConfigurationError(
          source: "providers", key: name,
          problem: "a name is 1 to 64 letters, digits, '.', '_' or '-'")
      }
      guard taken.insert(name).inserted else {
        throw ConfigurationError(
          source: "providers", key: name, problem: "there are two providers of this name")
      }
    }
  }

  /// The provider of an account.
  ///
  /// - Throws: ``ConfigurationError`` where there is none of that name.
  static func provider(
    _ name: String, in configuration: CoreConfiguration
  ) throws -> any Provider {
    let own = configuration.providers
    if let provider = (builtIn + own).first(where: { $0.name == name }) { return provider }
    guard let described = configuration.describedProviders[name] else {
      throw ConfigurationError(
        source: "provider",
        problem: absence(
          of: name, among: names(with: own), described: configuration.describedProviders.keys))
    }
    return described.provider
  }

  /// What to say where there is no provider of a name.
  static func absence(
    of name: String, among names: [String], described: some Sequence<String>
  ) -> String {
    "unknown provider '\(name)'; available: "
      + (names + described.sorted()).joined(separator: ", ")
  }
}

extension Provider {
  /// Where the provider's API is.
  func baseURL(_ endpoints: ProviderEndpoints) throws -> URL {
    try Self.url(endpoints.baseURL ?? traits.baseURL, key: "baseURL")
  }

  /// The configuration of a session with what the provider publishes, unless it says something of
  /// its own; another server under the provider's name has limits of its own.
  func bounded(
    _ session: SessionConfiguration, _ endpoints: ProviderEndpoints
  ) -> SessionConfiguration {
    guard endpoints.baseURL == nil else { return session }
    var session = session
    if session.rateLimits.isEmpty { session.rateLimits = traits.rateLimits }
    if let concurrency = traits.concurrency {
      session.concurrency = min(session.concurrency, concurrency)
    }
    return session
  }

  /// How many requests of an account the provider allows at once, where it says so.
  func concurrency(_ endpoints: ProviderEndpoints) -> Int? {
    endpoints.baseURL == nil ? traits.concurrency : nil
  }

  /// Whether there is a server that renews tokens.
  func hasTokenEndpoint(_ endpoints: ProviderEndpoints) -> Bool {
    traits.hasSignIn || endpoints.issuer != nil || endpoints.tokenURL != nil
  }

  /// Where an account of the provider signs in.
  func server(_ endpoints: ProviderEndpoints) throws -> AuthorizationServerSource {
    let traits = traits
    if let issuer = endpoints.issuer ?? traits.issuer {
      // What is built in belongs to the built-in server, not to an issuer that is configured.
      let own = endpoints.issuer == nil ? traits : nil
      func given(_ configured: String?, _ builtIn: String?, key: String) throws -> URL? {
        guard let text = configured ?? builtIn, !text.isEmpty else { return nil }
        return try Self.url(text, key: key)
      }
      var server = AuthorizationEndpoints()
      server.authorization = try given(
        endpoints.authorizationURL, own?.authorizationURL, key: "authorizationURL")
      server.token = try given(endpoints.tokenURL, own?.tokenURL, key: "tokenURL")
      server.revocation = try given(
        endpoints.revocationURL, own?.revocationURL, key: "revocationURL")
      server.deviceAuthorization = try given(
        endpoints.deviceAuthorizationURL, own?.deviceAuthorizationURL,
        key: "deviceAuthorizationURL")
      return .discovery(issuer: try Self.url(issuer, key: "issuer"), given: server)
    }
    return .endpoints(
      AuthorizationServer(
        authorizationEndpoint: try Self.url(
          endpoints.authorizationURL ?? traits.authorizationURL, key: "authorizationURL"),
        tokenEndpoint: try Self.url(endpoints.tokenURL ?? traits.tokenURL, key: "tokenURL"),
        revocationEndpoint: try (endpoints.revocationURL ?? traits.revocationURL).map {
          try Self.url($0, key: "revocationURL")
        },
        deviceAuthorizationEndpoint: try
          (endpoints.deviceAuthorizationURL ?? traits.deviceAuthorizationURL).map {
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
