public import ErrorCodes
public import Foundation
public import Networking
public import SecureStore
import SystemSupport

/// A problem with an account's credentials; each case needs a different remedy.
public enum AuthenticationError: Error, Sendable {
  /// The user has to sign the account in (again).
  ///
  /// `message` are the words with which the server refused the login, if it did.
  case signInRequired(account: String, reason: SignInReason, message: ProviderMessage? = nil)
  /// Nothing is lost; a later call can succeed, but not before `retryAt` if it is known.
  case temporarilyUnavailable(account: String, retryAt: Date?, underlying: any Error)
  /// The server refuses the client itself; the user has to correct the configuration. The login is
  /// kept.
  case misconfigured(account: String, reason: String, message: ProviderMessage? = nil)
  /// A sign-in did not succeed; a previous login is unchanged.
  case signInFailed(account: String, reason: SignInFailure, message: ProviderMessage? = nil)
  /// The keyring is not available or failed; the login in it is unchanged.
  case secretStoreUnavailable(account: String, underlying: SecretStoreError)
  /// The lock against two processes that spend one refresh token could not be taken.
  case lockUnavailable(account: String, underlying: any Error)
  /// The new credentials of some accounts are in use but could not be stored; these logins end with
  /// this process. `underlying` is the reason for the first one.
  case notSaved(accounts: [String], underlying: any Error)
  /// The new credentials of some accounts are not in the store yet. A sealed file keeps them, and
  /// the next process stores them. `underlying` is the reason for the first one.
  case keptSealed(accounts: [String], underlying: any Error)
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
    /// The user did not enter the code of a device before it expired (RFC 8628 section 3.5).
    case codeExpired
    /// The answer came from another authorization server (RFC 9207), or did not name its server.
    case wrongIssuer(expected: String? = nil, named: String? = nil)
    /// The server answered with an OAuth error code (RFC 6749 4.1.2.1 and 5.2).
    case refused(code: String)
    /// No port could be opened on the loopback interface for the browser's redirect.
    case listenerUnavailable
    /// The sign-in ends on a page elsewhere, and the user pasted no address of it.
    case nothingPasted
    /// The front end does not support this method.
    case notOffered
    /// The provider refuses the given token.
    case tokenRefused(status: Int)
    /// The given text is no token: a bearer token is visible ASCII (RFC 6750 section 2.1).
    case malformedToken
  }

  /// Returns this module's error for any other one: an ended login, a wrong configuration, or a
  /// temporary failure.
  static func classified(_ error: any Error, account: String) -> any Error {
    switch error {
    case is AuthenticationError, is CancellationError: error
    case TokenEndpointError.grantEnded(let refusal):
      AuthenticationError.signInRequired(
        account: account, reason: .rejected, message: refusal.message)
    case TokenEndpointError.refused(let refusal):
      AuthenticationError.misconfigured(
        account: account, reason: refusal.code ?? "status \(refusal.status)",
        message: refusal.message)
    case DiscoveryError.insecure, DiscoveryError.otherIssuer, SessionError.invalidRequest:
      AuthenticationError.misconfigured(account: account, reason: "\(error)")
    case TokenEndpointError.unavailable(_, let retryAt):
      AuthenticationError.temporarilyUnavailable(
        account: account, retryAt: retryAt, underlying: error)
    default:
      AuthenticationError.temporarilyUnavailable(account: account, retryAt: nil, underlying: error)
    }
  }
}

extension AuthenticationError: ProviderMessageCarrying {
  /// The server's own words, if the error is about one of its answers.
  public var providerMessage: ProviderMessage? {
    switch self {
    case .signInRequired(_, _, let message), .misconfigured(_, _, let message),
      .signInFailed(_, _, let message):
      message
    case .temporarilyUnavailable(_, _, let underlying), .lockUnavailable(_, let underlying),
      .notSaved(_, let underlying):
      (underlying as? any ProviderMessageCarrying)?.providerMessage
    default: nil
    }
  }
}

extension AuthenticationError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .signInRequired(_, .otherServer, _): .otherLogin
    case .signInRequired, .signInFailed: .signInRequired
    case .misconfigured: .clientRefused
    case .unknownAccount: .unknownAccount
    case .secretStoreUnavailable(_, let underlying): underlying.code
    case .notSaved, .keptSealed: .loginNotSaved
    case .lockUnavailable: .lockUnavailable
    case .temporarilyUnavailable(_, let retryAt, _):
      correctable?.code
        ?? (retryAt == nil ? .authorizationServerUnavailable : .authorizationServerBusy)
    case .authenticatorExists: .bug
    }
  }

  /// The time that the authorization server names for another try.
  public var retryAt: Date? {
    if case .temporarilyUnavailable(_, let retryAt, _) = self { retryAt } else { nil }
  }

  /// The error below a temporary failure that lasts until the user has corrected something, such as
  /// a certificate that is not trusted.
  package var correctable: (any CodedError)? {
    guard case .temporarilyUnavailable(_, _, let underlying as any CodedError) = self else {
      return nil
    }
    return underlying.code.needsUser ? underlying : nil
  }

  /// A sentence for the user or a log; it never contains a credential.
  public var description: String { sentence(naming: nil) }

  /// Returns a sentence for the user that names the provider; it never contains a credential.
  ///
  /// - Parameter provider: the name of the account's provider, such as `Xero`; `nil` if it is
  ///   unknown.
  public func sentence(naming provider: String?) -> String {
    let provider = provider ?? "the provider"
    return switch self {
    case .signInRequired(let account, let reason, let message):
      reason.sentence(account, provider, hasMessage: message != nil)
    case .temporarilyUnavailable(let account, _, let underlying):
      "account '\(account)': \(Self.text(underlying))"
    // A code of OAuth contains no space (RFC 6749 section 5.2).
    case .misconfigured(let account, let reason, _) where reason.contains(" "):
      "account '\(account)': \(reason)"
    case .misconfigured(let account, let code, _):
      "\(provider) rejected the client of account '\(account)' (\(code))"
    case .signInFailed(_, .refused(let code), _): "\(provider) refused the sign-in (\(code))"
    case .signInFailed(_, let reason, _): "\(reason)"
    case .secretStoreUnavailable(_, let underlying): "\(underlying)"
    case .lockUnavailable(let account, let underlying):
      "cannot lock the login of account '\(account)': \(Self.text(underlying))"
    case .notSaved(let accounts, let underlying), .keptSealed(let accounts, let underlying):
      (accounts.count == 1
        ? "cannot store the renewed login of account "
        : "cannot store the renewed logins of accounts ")
        + accounts.map { "'\($0)'" }.joined(separator: ", ") + ": \(Self.text(underlying))"
    case .authenticatorExists(let store):
      "this process already has an authenticator for the store '\(store)'"
    case .unknownAccount(let name): "unknown account '\(name)'"
    }
  }

  /// Returns the description of an error of these modules, and only the type of any other, whose
  /// description may quote a secret.
  private static func text(_ error: any Error) -> String {
    switch error {
    case is AuthenticationError, is SessionError, is TokenEndpointError, is DiscoveryError,
      is SecretStoreError, is FileLockError, is RenewalPostponed, is AuthenticatorClosing:
      "\(error)"
    default: "\(type(of: error))"
    }
  }
}

extension AuthenticationError.SignInReason {
  fileprivate func sentence(
    _ account: String, _ provider: String, hasMessage: Bool
  ) -> String {
    switch self {
    case .notSignedIn: "account '\(account)' is not signed in"
    case .rejected:
      "\(provider) no longer accepts the login of account '\(account)': "
        + "it expired or was revoked there"
    case .interruptedRenewal:
      "a renewal of the login of account '\(account)' was interrupted, "
        + "and \(provider) does not accept the old token again"
    case .refusedWithoutReason:
      "\(provider) refused several times to renew the login of account '\(account)'"
        + (hasMessage ? "" : ", without a reason")
    case .notRenewable:
      "the access token of account '\(account)' expired or was rejected, and it cannot be renewed"
    case .otherServer:
      "the stored login of account '\(account)' is for another server or client than the "
        + "configuration"
    case .unreadable: "the stored login of account '\(account)' is damaged"
    case .signedOut: "account '\(account)' was signed out"
    }
  }
}

extension AuthenticationError.SignInFailure: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .denied: "sign-in was declined, by you or by your organisation's policy"
    case .timedOut: "no answer came back from the browser in time"
    case .codeExpired: "the code was not entered before it expired"
    case .wrongIssuer(let expected?, let named?):
      "the answer to the sign-in came from '\(named)' instead of '\(expected)'"
    case .wrongIssuer: "the answer to the sign-in came from another authorization server"
    case .refused(let code): "the provider refused the sign-in (\(code))"
    case .listenerUnavailable:
      "cannot open a local port for the browser's answer; another program may use redirectPort"
    case .nothingPasted: "the sign-in ends on another page, and nobody pasted its address"
    case .notOffered: "this program does not support this kind of sign-in"
    case .tokenRefused(let status): "the provider refuses the token (status \(status))"
    case .malformedToken: "the text is not a token"
    }
  }
}

extension AuthenticationError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .signInRequired(_, .notSignedIn, _), .signInRequired(_, .signedOut, _): "Sign in."
    case .signInRequired: "Sign in again."
    case .temporarilyUnavailable(_, let retryAt?, _):
      (leavesLoginUnchanged ? "The login is kept. " : "") + "Try again after "
        + retryAt.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon)) + "."
    case .temporarilyUnavailable(_, nil, let underlying):
      (leavesLoginUnchanged ? "The login is kept. " : "")
        + ((underlying as? any LocalizedError)?.recoverySuggestion
          ?? "Check the network and try again.")
    case .misconfigured:
      "The login is kept. Check the client ID, its secret and the scopes in the configuration."
    case .signInFailed(_, let reason, _): reason.recovery
    case .secretStoreUnavailable(_, let underlying): underlying.recoverySuggestion
    case .lockUnavailable:
      "If another program is renewing this login, wait for it; "
        + "otherwise make the state folder writable."
    case .notSaved:
      "Unlock or start the keyring, then try again. You may have to sign in again."
    case .keptSealed:
      "Unlock or start the keyring; the next start stores it from the sealed file that keeps it."
    case .authenticatorExists: "Use the core that exists, or close it first."
    case .unknownAccount: "Choose a configured account, or add this one to the configuration."
    }
  }
}

extension AuthenticationError {
  /// True if it is known that the server has used up no token: an answer that was lost, or came
  /// from a proxy, may have been that of a renewal.
  package var leavesLoginUnchanged: Bool {
    guard case .temporarilyUnavailable(_, _, let underlying) = self else { return true }
    return switch underlying {
    case let error as SessionError:
      switch error {
      case .connectionFailed, .timedOut(.connect, _), .untrustedServer, .invalidRequest, .closed,
        .proxyAuthenticationRequired:
        true
      default: false
      }
    case let error as TokenEndpointError: error.isDefinite
    case is RenewalPostponed, is AuthenticatorClosing, is DiscoveryError: true
    default: false
    }
  }
}

extension AuthenticationError.SignInFailure {
  fileprivate var recovery: String {
    switch self {
    case .denied: "Sign in again and approve the access."
    case .timedOut: "Sign in again and finish it in the browser."
    case .codeExpired: "Sign in again and enter the new code."
    case .wrongIssuer, .refused:
      "Check the client ID, its redirect URI and the provider's addresses, then sign in again."
    case .listenerUnavailable: "Close the other program, or configure another redirect port."
    case .nothingPasted:
      "Sign in again, and paste the whole address on which the browser ends."
    case .notOffered: "Choose another way to sign in."
    case .tokenRefused, .malformedToken: "Copy the token again, or create a new one."
    }
  }
}
