import Authentication
import Models

extension Failure {
  /// Returns the hint after a sign-in that did not succeed.
  static func hint(
    after reason: AuthenticationError.SignInFailure, _ account: String
  ) -> String {
    let command = "appcore login --account \(account.shellWord)"
    return switch reason {
    case .timedOut:
      "If the page showed an error, check that accounts.\(account).clientID is right and that "
        + "http://127.0.0.1/callback is registered as redirect URI, with the port of "
        + "accounts.\(account).redirectPort if that is set. Then try again: \(command)"
    case .tokenRefused:
      "An existing login is kept. Check that the token is complete and may read invoices, "
        + "then try again: \(command) --token-stdin"
    default: "Sign in with: \(command)"
    }
  }
}
