import AppCore
import Authentication
import Models

extension Failure {
  /// Returns the hint after a sign-in that did not succeed.
  static func hint(
    after reason: AuthenticationError.SignInFailure, _ account: String,
    in configuration: CoreConfiguration?
  ) -> String {
    let command = Self.signInCommand(account, in: configuration)
    let option = " --token-stdin"
    return switch reason {
    case .timedOut:
      "If the page showed an error, check that accounts.\(account).clientID is right and that "
        + (configuration?.redirectURI(account: account) ?? "the redirect URI")
        + " is registered at the provider. Then try again: \(command)"
    case .nothingPasted:
      "Paste the whole address on which the browser ends, with code= and state= in it: \(command)"
    case .tokenRefused:
      "The logins are unchanged. Check that the token is complete and may read invoices, "
        + "then try again: \(command)" + (command.hasSuffix(option) ? "" : option)
    default: "Sign in with: \(command)"
    }
  }

  /// Returns the command that signs an account in, also if its configuration is not known.
  static func signInCommand(_ account: String, in configuration: CoreConfiguration?) -> String {
    configuration?.signInCommand(account: account)
      ?? "appcore login --account \(account.shellWord)"
  }
}
