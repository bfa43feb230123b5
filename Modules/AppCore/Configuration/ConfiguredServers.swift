import Authentication
import Foundation
import Networking
import Providers

// The servers and limits of a provider, where the configuration may name other servers.
extension Provider {
  /// Returns the address of the provider's API.
  func baseURL(_ endpoints: ProviderEndpoints) throws -> URL {
    try Self.url(endpoints.baseURL ?? profile.of(endpoints.environment).baseURL, key: "baseURL")
  }

  /// Returns a session configuration with the limits that the provider publishes.
  ///
  /// Configured rate limits take precedence, then the account's requests a day. Of the two numbers
  /// of concurrent requests, the smaller one counts. If `baseURL` is configured, nothing changes:
  /// another server has limits of its own.
  func bounded(
    _ session: SessionConfiguration, for account: AccountConfiguration
  ) -> SessionConfiguration {
    guard account.endpoints.baseURL == nil || profile.site != nil else { return session }
    var session = session
    if session.rateLimits.isEmpty {
      session.rateLimits = profile.rateLimits
      if let requests = account.requestsPerDay {
        let day = RateLimit(requests: requests, interval: .seconds(86_400))
        session.rateLimits = session.rateLimits.filter { $0.interval != day.interval } + [day]
      }
    }
    if let concurrency = profile.concurrency {
      session.concurrency = min(session.concurrency, concurrency)
    }
    return session
  }

  /// Returns the number of concurrent requests that the provider allows an account, if it publishes
  /// one.
  func concurrency(_ endpoints: ProviderEndpoints) -> Int? {
    endpoints.baseURL == nil ? profile.concurrency : nil
  }

  /// Returns the limits that the provider publishes for an application, all its accounts together.
  func applicationRateLimits(_ endpoints: ProviderEndpoints) -> [RateLimit] {
    endpoints.baseURL == nil ? profile.applicationRateLimits : []
  }

  /// Returns `true` if there is a server that renews tokens.
  func hasTokenEndpoint(_ endpoints: ProviderEndpoints) -> Bool {
    profile.hasSignIn || endpoints.issuer != nil || endpoints.tokenURL != nil
  }

  /// Returns the authorization server that accounts of the provider sign in to.
  func server(_ endpoints: ProviderEndpoints) throws -> AuthorizationServerSource {
    let profile = profile.of(endpoints.environment)
    if let issuer = endpoints.issuer ?? profile.issuer {
      // The built-in endpoints belong to the built-in server, not to a configured issuer.
      let own = endpoints.issuer == nil ? profile : nil
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
          endpoints.authorizationURL ?? profile.authorizationURL, key: "authorizationURL"),
        tokenEndpoint: try Self.url(endpoints.tokenURL ?? profile.tokenURL, key: "tokenURL"),
        revocationEndpoint: try (endpoints.revocationURL ?? profile.revocationURL).map {
          try Self.url($0, key: "revocationURL")
        },
        deviceAuthorizationEndpoint: try
          (endpoints.deviceAuthorizationURL ?? profile.deviceAuthorizationURL).map {
            try Self.url($0, key: "deviceAuthorizationURL")
          }))
  }

  /// Returns the end of a browser sign-in: the configured one, or else the provider's.
  ///
  /// - Returns: `nil` if the provider needs an https page, and neither names one.
  func redirect(of account: AccountConfiguration) -> OAuthClient.Redirect? {
    if let page = account.redirectURI { return .page(page) }
    let endpoints = account.endpoints
    let profile = profile.of(endpoints.environment)
    // Another authorization server has rules of its own.
    let isOwnServer = endpoints.issuer == nil && endpoints.authorizationURL == nil
    let choosesLoopback = account.redirectHost != nil || account.redirectPort != 0
    if profile.needsRedirectPage, isOwnServer, !choosesLoopback {
      return profile.redirectURI.map { .page($0) }
    }
    let host = account.redirectHost ?? (isOwnServer ? profile.redirectHost : .address)
    return .loopback(host: host, port: account.redirectPort)
  }

  private static func url(_ text: String, key: String) throws -> URL {
    guard let url = URL(string: text) else {
      throw ConfigurationError(source: "providers", key: key, problem: "expected a URL")
    }
    return url
  }
}
