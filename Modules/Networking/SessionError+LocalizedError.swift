public import Foundation

extension SessionError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem; `nil` if there is nothing to solve.
  public var recoverySuggestion: String? {
    switch self {
    case .connectionFailed, .connectionLost, .timedOut: "Check the network and try again."
    case .untrustedServer:
      "Check the address. For a private certificate authority, configure its certificate."
    case .proxyAuthenticationRequired:
      "Set the environment variable https_proxy=http://USER:PASSWORD@HOST:PORT."
    case .malformedResponse, .responseTooLarge, .decompressionRefused, .unexpectedBody:
      "Try again. If it happens again, a proxy may change the response."
    case .credentialsRefused, .redirectRefused, .invalidRequest:
      "Check the provider's addresses in the configuration."
    case .insufficientScope: "Sign in again and grant the missing permission."
    case .rateLimited: "Nothing was sent. Try again after that time."
    case .cancelled, .closed, .bodyNotReplayable: nil
    }
  }
}
