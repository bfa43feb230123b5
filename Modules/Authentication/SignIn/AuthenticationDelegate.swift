public import Foundation
public import Networking

/// What only a front end can do for an authenticator.
///
/// Each is asked once, however many wait for what comes of it. What a front end leaves out is not
/// offered: the flow that needs it then fails with ``AuthenticationError/SignInFailure/notOffered``.
public protocol AuthenticationDelegate: UserCredentialsSource {
  /// Shows the authorization page to the person, in a browser or as a link to follow.
  ///
  /// It returns as soon as the page is on its way; the answer comes back by itself. The URL holds
  /// nothing that has to be kept secret.
  func showAuthorizationPage(_ url: URL) async throws

  /// Shows the code of a device authorization, and where it is to be entered.
  ///
  /// It returns as soon as the code can be seen; it may be called again with a newer code.
  func showDeviceCode(_ prompt: DeviceCodePrompt) async throws

  /// Shows the page on which the person signs out of the server itself, after a sign-out here.
  func showSignOutPage(_ url: URL) async throws
}

extension AuthenticationDelegate {
  /// Not offered.
  public func showAuthorizationPage(_ url: URL) async throws { throw NotOffered() }
  /// Not offered.
  public func showDeviceCode(_ prompt: DeviceCodePrompt) async throws { throw NotOffered() }
  /// Does nothing: the sign-out here is complete without it.
  public func showSignOutPage(_ url: URL) async throws {}
  /// Not offered: there are none.
  public func userCredentials(for origin: Origin, realm: String?) async throws -> UserCredentials? {
    nil
  }
}

/// A delegate was asked for something that it does not offer.
struct NotOffered: Error {}

/// What a person needs to approve a device (RFC 8628 section 3.3).
public struct DeviceCodePrompt: Sendable, Hashable {
  /// The code to enter, as the server writes it.
  public let userCode: String
  /// Where to enter it.
  public let verificationURL: URL
  /// The same page with the code filled in, for a QR code; not every server has one.
  public let completeURL: URL?
  /// When the code ends.
  public let expiresAt: Date
}

/// How an account signs in.
public enum SignInMethod: Sendable {
  /// A person approves in a browser here: authorization code with PKCE (RFC 6749 4.1, RFC 7636,
  /// RFC 8252).
  ///
  /// `timeout` is how long the person may take.
  case authorizationCode(delegate: any AuthenticationDelegate, timeout: Duration = .seconds(300))
  /// A person approves on any other device: device authorization (RFC 8628).
  case deviceCode(delegate: any AuthenticationDelegate)
  /// The client itself is the account (RFC 6749 section 4.4); for machines without a person.
  case clientCredentials
  /// The tokens are there already: pasted, or of a front end's own login.
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
