import Authentication
import CAppCore

/// The way to sign in that a caller chose.
enum SignInKind {
  case browser(timeout: Duration)
  case device
  case clientCredentials
  case tokens(TokenSet)

  /// - Throws: ``Misuse``.
  init(_ choices: appcore_sign_in_options) throws {
    switch Int(choices.method) {
    case APPCORE_SIGN_IN_BROWSER:
      guard choices.timeout_seconds >= 0 else {
        throw Misuse.badArgument(message: "timeout_seconds must not be negative")
      }
      self = .browser(
        timeout: choices.timeout_seconds == 0 ? .seconds(300) : .seconds(choices.timeout_seconds))
    case APPCORE_SIGN_IN_DEVICE: self = .device
    case APPCORE_SIGN_IN_CLIENT_CREDENTIALS: self = .clientCredentials
    case APPCORE_SIGN_IN_TOKEN:
      let text = try CText.required(choices.token, "token")
      guard let tokens = TokenSet(pasted: text) else {
        throw Misuse.badArgument(message: "token is no token")
      }
      self = .tokens(tokens)
    default: throw Misuse.badArgument(message: "unknown method of signing in")
    }
  }

  func method(_ delegate: EventDelegate) -> SignInMethod {
    switch self {
    case .browser(let timeout): .authorizationCode(delegate: delegate, timeout: timeout)
    case .device: .deviceCode(delegate: delegate)
    case .clientCredentials: .clientCredentials
    case .tokens(let tokens): .tokens(tokens)
    }
  }
}
