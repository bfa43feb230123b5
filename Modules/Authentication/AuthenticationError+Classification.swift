import Networking

extension AuthenticationError {
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
