public import Foundation

/// The pages and codes that a front end shows for an authenticator.
///
/// Each method is called once, however many callers wait for the result. A front end may leave a
/// method out; the flow that needs it then fails with
/// ``AuthenticationError/SignInFailure/notOffered``.
public protocol AuthenticationDelegate: Sendable {
  /// Shows the authorization page to the user, in a browser or as a link.
  ///
  /// Return as soon as the browser was started; the authenticator receives the redirect itself. The
  /// URL contains no secret.
  func showAuthorizationPage(_ url: URL) async throws

  /// Lets the user paste the address on which the browser ended, for a browser on another machine.
  ///
  /// If the browser ends on a page elsewhere (``OAuthClient/Redirect/page(_:)``), this is the only
  /// way; ``SignInRedirect`` reads that from the URL of the authorization page. A front end that
  /// returns without an accepted address then ends the sign-in.
  ///
  /// The authenticator calls it while it waits for the redirect, and cancels its task when the
  /// redirect has arrived; the method then has to return within five seconds, after which the
  /// sign-in goes on without it. Pass each text to `accept`, until it returns
  /// ``PastedRedirect/accepted``.
  func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async

  /// Shows the code of a device authorization, and the page on which the user enters it.
  ///
  /// Return as soon as the code is visible.
  func showDeviceCode(_ prompt: DeviceCodePrompt) async throws

  /// Shows the page on which the user signs out of the server itself, after a sign-out here.
  func showSignOutPage(_ url: URL) async throws
}

extension AuthenticationDelegate {
  /// Fails: the front end shows no authorization page.
  public func showAuthorizationPage(_ url: URL) async throws { throw NotOffered() }
  /// Returns immediately: the front end offers no place to paste an address.
  public func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {}
  /// Fails: the front end shows no device code.
  public func showDeviceCode(_ prompt: DeviceCodePrompt) async throws { throw NotOffered() }
  /// Does nothing: the sign-out here is complete without it.
  public func showSignOutPage(_ url: URL) async throws {}
}

/// The address on which the browser ends, as the URL of an authorization page states it.
public enum SignInRedirect: Sendable, Equatable {
  /// A listener of this program on a port of this machine.
  case loopback(port: Int)
  /// A page elsewhere; the user has to paste the address on which the browser ends.
  case page(URL)

  /// Reads the redirect URI of an authorization page; `nil` if it has none.
  public init?(authorizationPage url: URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
    guard let text = items?.first(where: { $0.name == "redirect_uri" })?.value,
      let redirect = URL(string: text)
    else { return nil }
    let isLoopback = redirect.scheme == "http" && AuthorizationServer.isLoopback(redirect)
    self = isLoopback ? .loopback(port: redirect.port ?? 80) : .page(redirect)
  }
}

struct NotOffered: Error {}

/// The result of reading a pasted address.
public enum PastedRedirect: Sendable, Equatable {
  /// The address ends the sign-in.
  case accepted
  /// The text is not the address of a redirect to this program.
  case notRedirect
  /// The address belongs to another sign-in, or is incomplete.
  case foreign
}

/// The code and the page with which the user approves a device (RFC 8628 section 3.3).
public struct DeviceCodePrompt: Sendable, Hashable {
  /// The code to enter, as the server writes it.
  public let userCode: String
  /// The page on which the user enters it.
  public let verificationURL: URL
  /// The same page with the code filled in, as for a link or a QR code; not every server has
  /// one.
  public let completeURL: URL?
  /// The expiry of the code.
  public let expiresAt: Date
}

/// A way to sign an account in.
public enum SignInMethod: Sendable {
  /// The user approves in a browser on this machine: authorization code with PKCE (RFC 6749 section
  /// 4.1, RFC 7636, RFC 8252).
  ///
  /// `timeout` is the time that the user has.
  case authorizationCode(delegate: any AuthenticationDelegate, timeout: Duration = .seconds(300))
  /// The user approves on any other device: device authorization (RFC 8628).
  case deviceCode(delegate: any AuthenticationDelegate)
  /// The client itself is the account, without a user (RFC 6749 section 4.4).
  case clientCredentials
  /// The tokens exist already: pasted, or from a front end's own login.
  case tokens(TokenSet)

  var grant: Credential.Grant {
    switch self {
    case .authorizationCode: .authorizationCode
    case .deviceCode: .deviceCode
    case .clientCredentials: .clientCredentials
    case .tokens: .provided
    }
  }
}
