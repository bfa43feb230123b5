import Authentication
import Foundation
import Networking
import Providers
import Sync
import SystemSupport

/// The built-in providers, the front end's own, and those that the configuration describes.
enum ProviderCatalogue {
  private static let builtIn: [any Provider] = [
    XeroProvider(), QuickBooksProvider(), StripeProvider(), SquareProvider(), MoneybirdProvider(),
  ]

  /// Returns the names of the providers that have code, including the front end's own.
  static func names(with own: [any Provider]) -> [String] { (builtIn + own).map(\.name) }

  /// Checks that each of the front end's own providers has a valid name that no other provider has.
  ///
  /// - Throws: ``ConfigurationError``.
  static func check(_ own: [any Provider], described: some Sequence<String> = []) throws {
    var taken = Set(builtIn.map(\.name)).union(described)
    for name in own.map(\.name) {
      guard Account.isValid(name: name) else {
        throw ConfigurationError(
          source: "providers", key: name,
          problem: "expected a name of 1 to 64 letters, digits, '.', '_' or '-'")
      }
      guard taken.insert(name).inserted else {
        throw ConfigurationError(
          source: "providers", key: name, problem: "two providers have this name")
      }
    }
  }

  /// Returns the provider with a name.
  ///
  /// - Throws: ``ConfigurationError`` if there is none with that name.
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

  /// Returns `true` if a provider that has code has a sandbox.
  static func hasSandbox(_ name: String, among own: [any Provider]) -> Bool {
    (builtIn + own).first { $0.name == name }?.traits.sandbox != nil
  }

  /// Returns every provider, the described ones last and by name.
  static func all(in configuration: CoreConfiguration) -> [any Provider] {
    let described = configuration.describedProviders.sorted { $0.key < $1.key }
    return builtIn + configuration.providers + described.map(\.value.provider)
  }

  /// Returns the message for an unknown provider.
  static func absence(
    of name: String, among names: [String], described: some Sequence<String>
  ) -> String {
    let available = names + described.sorted()
    let meant = NearestWord.to(name, among: available)
    return "unknown provider '\(name)'; available: " + available.joined(separator: ", ")
      + (meant.map { "; did you mean '\($0)'?" } ?? "")
  }
}

extension Provider {
  /// Returns the address of the provider's API.
  func baseURL(_ endpoints: ProviderEndpoints) throws -> URL {
    try Self.url(endpoints.baseURL ?? traits.of(endpoints.environment).baseURL, key: "baseURL")
  }

  /// Returns a session configuration with the limits that the provider publishes.
  ///
  /// Configured rate limits take precedence; of the two numbers of concurrent requests, the smaller
  /// one counts. If `baseURL` is configured, nothing changes: another server has limits of its own.
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

  /// Returns the number of concurrent requests that the provider allows an account, if it publishes
  /// one.
  func concurrency(_ endpoints: ProviderEndpoints) -> Int? {
    endpoints.baseURL == nil ? traits.concurrency : nil
  }

  /// Returns the limits that the provider publishes for an application, all its accounts together.
  func applicationRateLimits(_ endpoints: ProviderEndpoints) -> [RateLimit] {
    endpoints.baseURL == nil ? traits.applicationRateLimits : []
  }

  /// Returns `true` if there is a server that renews tokens.
  func hasTokenEndpoint(_ endpoints: ProviderEndpoints) -> Bool {
    traits.hasSignIn || endpoints.issuer != nil || endpoints.tokenURL != nil
  }

  /// Returns the authorization server that accounts of the provider sign in to.
  func server(_ endpoints: ProviderEndpoints) throws -> AuthorizationServerSource {
    let traits = traits.of(endpoints.environment)
    if let issuer = endpoints.issuer ?? traits.issuer {
      // The built-in endpoints belong to the built-in server, not to a configured issuer.
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

  /// Returns the end of a browser sign-in: the configured one, or else the provider's.
  ///
  /// - Returns: `nil` if the provider needs an https page, and neither names one.
  func redirect(of account: AccountConfiguration) -> OAuthClient.Redirect? {
    if let page = account.redirectURI { return .page(page) }
    let endpoints = account.endpoints
    let traits = traits.of(endpoints.environment)
    // Another authorization server has rules of its own.
    let isOwnServer = endpoints.issuer == nil && endpoints.authorizationURL == nil
    let choosesLoopback = account.redirectHost != nil || account.redirectPort != 0
    if traits.needsRedirectPage, isOwnServer, !choosesLoopback {
      return traits.redirectURI.map { .page($0) }
    }
    let host = account.redirectHost ?? (isOwnServer ? traits.redirectHost : .address)
    return .loopback(host: host, port: account.redirectPort)
  }

  private static func url(_ text: String, key: String) throws -> URL {
    guard let url = URL(string: text) else {
      throw ConfigurationError(source: "providers", key: key, problem: "expected a URL")
    }
    return url
  }
}

extension CoreConfiguration {
  /// The names of the providers that an account may have: the built-in ones, the front end's own,
  /// and those that the configuration describes.
  public var providerNames: [String] {
    ProviderCatalogue.names(with: providers) + describedProviders.keys.sorted()
  }
}
