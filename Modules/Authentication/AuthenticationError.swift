public import Foundation
import Networking
public import SecureStore
import SystemSupport

/// A problem with an account's credentials; each case needs a different remedy.
public enum AuthenticationError: Error, Sendable {
  /// The user has to sign the account in (again).
  case signInRequired(account: String, reason: SignInReason)
  /// Nothing is lost; a later call can succeed, but not before `retryAt` if it is known.
  case temporarilyUnavailable(account: String, retryAt: Date?, underlying: any Error)
  /// The server refuses the client itself; the user has to correct the configuration. The login is
  /// kept.
  case misconfigured(account: String, reason: String)
  /// A sign-in did not succeed; a previous login is unchanged.
  case signInFailed(account: String, reason: SignInFailure)
  /// The keyring is not available or failed; the login in it is unchanged.
  case secretStoreUnavailable(account: String, underlying: SecretStoreError)
  /// The lock against two processes that spend one refresh token could not be taken.
  case lockUnavailable(account: String, underlying: any Error)
  /// The new credentials are in use but could not be stored; the login ends with this process.
  case notSaved(account: String, underlying: any Error)
  /// The process already has an authenticator for this store; use that one.
  case authenticatorExists(store: String)
  /// No account of this name was configured.
  case unknownAccount(name: String)

  /// The reason why an account has to sign in.
  public enum SignInReason: String, Sendable, Codable {
    /// The account was never signed in, or was signed out.
    case notSignedIn = "not-signed-in"
    /// The authorization server no longer accepts the login (`invalid_grant`, RFC 6749 5.2).
    case rejected
    /// A crash or a lost connection interrupted a renewal before its result was stored, and the
    /// server does not accept the old token again.
    case interruptedRenewal = "interrupted-renewal"
    /// The server refused several times and gave no reason.
    case refusedWithoutReason = "refused-without-reason"
    /// The access token has expired and there is no refresh token.
    case notRenewable = "not-renewable"
    /// The stored login was made with another authorization server or client, or for another API.
    case otherServer = "other-server"
    /// The keyring holds a record that cannot be read as a login.
    case unreadable
    /// The account was signed out while the call was waiting.
    case signedOut = "signed-out"
  }

  /// The reason why a sign-in did not succeed.
  public enum SignInFailure: Sendable, Equatable {
    /// The user, or a policy, refused.
    case denied
    /// The user did not answer in time.
    case timedOut
    /// The answer came from another authorization server (RFC 9207).
    case wrongIssuer
    /// The server answered with an OAuth error code (RFC 6749 4.1.2.1 and 5.2).
    case refused(code: String)
    /// No port could be opened on the loopback interface for the browser's redirect.
    case listenerUnavailable
    /// The front end does not support this method.
    case notOffered
    /// The provider refuses the given token.
    case tokenRefused(status: Int)
    /// The given text is no token: a bearer token is visible ASCII (RFC 6750 section 2.1).
    case malformedToken
  }
}

extension AuthenticationError: CustomStringConvertible {
  /// A sentence for a log; it never contains a credential.
  public var description: String {
    switch self {
    case .signInRequired(let account, let reason):
      "account '\(account)' has to be signed in (\(reason.rawValue))"
    case .temporarilyUnavailable(let account, _, let underlying):
      "credentials of account '\(account)' cannot be renewed now: \(Self.text(underlying))"
    case .misconfigured(let account, let reason):
      "the server refuses the client of account '\(account)': \(reason)"
    case .signInFailed(let account, let reason):
      "signing in account '\(account)' failed: \(reason)"
    case .secretStoreUnavailable(let account, let underlying):
      "the keyring with the login of account '\(account)' is not available: \(underlying)"
    case .lockUnavailable(let account, let underlying):
      "the lock on the login of account '\(account)' cannot be taken: \(Self.text(underlying))"
    case .notSaved(let account, let underlying):
      "the renewed login of account '\(account)' could not be stored: \(Self.text(underlying))"
    case .authenticatorExists(let store):
      "the process has an authenticator for the store '\(store)' already"
    case .unknownAccount(let name):
      "unknown account '\(name)'"
    }
  }

  /// Returns the description of an error of these modules, and only the type of any other, whose
  /// description may quote a secret.
  private static func text(_ error: any Error) -> String {
    switch error {
    case is SessionError, is TokenEndpointError, is DiscoveryError, is SecretStoreError,
      is FileLockError, is RenewalPostponed, is AuthenticatorClosing:
      "\(error)"
    default: "\(type(of: error))"
    }
  }
}

extension AuthenticationError.SignInFailure: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .denied: "the user, or a policy, refused"
    case .timedOut: "no answer came back from the browser in time"
    case .wrongIssuer: "the answer came from another authorization server"
    case .refused(let code): "the authorization server answers '\(code)'"
    case .listenerUnavailable:
      "no port could be opened for the browser's answer; another program may use the configured one"
    case .notOffered: "this program does not support the sign-in method"
    case .tokenRefused(let status): "the provider refuses the token (status \(status))"
    case .malformedToken: "the given text is not a token"
    }
  }
}
