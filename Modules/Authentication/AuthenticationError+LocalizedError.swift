public import Foundation
import Networking
import SecureStore

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
