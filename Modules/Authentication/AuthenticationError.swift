public import Foundation
import Networking
public import SecureStore
import SystemSupport

/// What went wrong with an account's credentials, one case for each way out.
public enum AuthenticationError: Error, Sendable {
  /// Only a person can go on: the account has to be signed in (again).
  case signInRequired(account: String, reason: SignInReason)
  /// Nothing is lost; the same call can work later, not before `retryAt` where it is known.
  case temporarilyUnavailable(account: String, retryAt: Date?, underlying: any Error)
  /// The server refuses the client itself; the configuration has to be corrected. The login is kept.
  case misconfigured(account: String, reason: String)
  /// A sign-in was begun and did not succeed; nothing that was there before has changed.
  case signInFailed(account: String, reason: SignInFailure)
  /// The keyring did not answer as it should; the login in it is untouched.
  case secretStoreUnavailable(account: String, underlying: SecretStoreError)
  /// The lock that keeps processes from spending one refresh token twice could not be had.
  case lockUnavailable(account: String, underlying: any Error)
  /// The new credentials are in use but could not be stored: the login ends with this process.
  case notSaved(account: String, underlying: any Error)
  /// There is an authenticator for this store in the process already; use that one.
  case authenticatorExists(store: String)
  /// No account of this name was configured.
  case unknownAccount(name: String)

  /// Why an account is not signed in.
  public enum SignInReason: String, Sendable, Codable {
    /// It never was, or was signed out.
    case notSignedIn = "not-signed-in"
    /// The authorization server no longer accepts the login (`invalid_grant`, RFC 6749 5.2).
    case rejected
    /// A renewal was interrupted between the server's answer and its storing, by a crash or a lost
    /// connection, and the server does not accept the old token again.
    case interruptedRenewal = "interrupted-renewal"
    /// The server refused again and again and never said why.
    case refusedWithoutReason = "refused-without-reason"
    /// The access token has ended and there is nothing to renew it with.
    case notRenewable = "not-renewable"
    /// The stored login was made with another authorization server or client, or for another API.
    case otherServer = "other-server"
    /// What the keyring holds cannot be read as a login.
    case unreadable
    /// It was signed out while the call was waiting.
    case signedOut = "signed-out"
  }

  /// Why a sign-in did not succeed.
  public enum SignInFailure: Sendable, Equatable {
    /// The person, or a policy, refused.
    case denied
    /// Nobody answered in time.
    case timedOut
    /// The answer came from another authorization server (RFC 9207).
    case wrongIssuer
    /// The server answered with an OAuth error code (RFC 6749 4.1.2.1 and 5.2).
    case refused(code: String)
    /// No port could be opened on the loopback interface for the answer.
    case listenerUnavailable
    /// The front end does not offer what this method needs.
    case notOffered
    /// What was given as a token cannot be one: a bearer token is visible ASCII (RFC 6750 2.1).
    case malformedToken
  }
}

extension AuthenticationError: CustomStringConvertible {
  /// A sentence for a log; it never holds a credential.
  public var description: String {
    switch self {
    case .signInRequired(let account, let reason):
      "account '\(account)' has to be signed in (\(reason.rawValue))"
    case .temporarilyUnavailable(let account, _, let underlying):
      "credentials of account '\(account)' cannot be renewed now: \(Self.telling(underlying))"
    case .misconfigured(let account, let reason):
      "the server refuses the client of account '\(account)': \(reason)"
    case .signInFailed(let account, let reason):
      "signing in account '\(account)' failed: \(reason)"
    case .secretStoreUnavailable(let account, let underlying):
      "the keyring with the login of account '\(account)' is not available: \(underlying)"
    case .lockUnavailable(let account, let underlying):
      "the lock on the login of account '\(account)' cannot be had: \(Self.telling(underlying))"
    case .notSaved(let account, let underlying):
      "the renewed login of account '\(account)' could not be stored: \(Self.telling(underlying))"
    case .authenticatorExists(let store):
      "there is an authenticator for the store '\(store)' already"
    case .unknownAccount(let name):
      "there is no account '\(name)'"
    }
  }
  /// An error of these modules in its own words; of any other its type alone, since its words may
  /// quote what must not be shown.
  private static func telling(_ error: any Error) -> String {
    switch error {
    case is SessionError, is TokenEndpointError, is DiscoveryError, is SecretStoreError,
      is FileLockError, is RenewalPostponed, is AuthenticatorClosing:
      "\(error)"
    default: "\(type(of: error))"
    }
  }
}

extension AuthenticationError.SignInFailure: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .denied: "the person, or a policy, refused"
    case .timedOut: "nobody answered in time"
    case .wrongIssuer: "the answer came from another authorization server"
    case .refused(let code): "the authorization server answers '\(code)'"
    case .listenerUnavailable:
      "no port could be opened for the browser's answer; another program may use the configured one"
    case .notOffered: "this program does not offer it"
    case .malformedToken: "what was given is no token"
    }
  }
}
