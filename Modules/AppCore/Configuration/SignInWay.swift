import Authentication
package import Providers

/// A way in which a user signs in.
public enum SignInWay: String, Sendable, CaseIterable {
  /// In a browser, on this machine or on another one.
  case browser
  /// With a code, on any other device.
  case device
  /// With a token or a key that the user copies from the provider; `ProviderProfile.tokenName` is
  /// the provider's word for it.
  case token
}

extension CoreConfiguration {
  /// Returns the ways to sign in to an account, the usual one first.
  ///
  /// A front end shows a button for a browser, or a field for a token.
  ///
  /// - Throws: `AuthenticationError.unknownAccount`; ``ConfigurationError``.
  public func signInWays(account name: String) throws -> [SignInWay] {
    guard let account = accounts[login(of: name)] else {
      throw AuthenticationError.unknownAccount(name: name)
    }
    let provider = try provider(account.provider)
    guard provider.profile.hasSignIn, account.clientID != nil else { return [.token] }
    var ways: [SignInWay] = provider.redirect(of: account) == nil ? [] : [.browser]
    switch try provider.server(account.endpoints) {
    case .endpoints(let server) where server.deviceAuthorizationEndpoint == nil: break
    default: ways.append(.device)
    }
    return ways + [.token]
  }
}

extension ProviderProfile {
  /// The ways to sign in to a new account, the usual one first.
  package var signInWays: [SignInWay] {
    let browser: [SignInWay] = hasSignIn ? [.browser] : []
    let device: [SignInWay] = deviceAuthorizationURL == nil ? [] : [.device]
    let token: [SignInWay] = takesToken || !hasSignIn ? [.token] : []
    return signsInWithBrowser ? browser + device + token : token + browser + device
  }

  /// The redirect URI to register for an app, as ``NewAccount`` uses it unless it names another;
  /// `nil` without a sign-in, and for an https page that the user has to own.
  package var usualRedirectURI: String? {
    guard hasSignIn else { return nil }
    guard !needsRedirectPage else { return redirectURI }
    return ConfigurationDraft.redirectURI(
      host: redirectHost, port: ConfigurationDraft.usualRedirectPort)
  }
}
