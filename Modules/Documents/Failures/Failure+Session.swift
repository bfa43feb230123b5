import Authentication
import Models
import Networking

extension Failure {
  init(_ error: SessionError, _ account: HintAccount) {
    let message = error.description
    switch error {
    case .untrustedServer:
      self.init(
        .unavailable, "untrusted-server", message,
        "Check the address. For a private certificate authority set "
          + "sessions.<name>.extraCACertificates. The logins are unchanged.")
    case .proxyAuthenticationRequired:
      self.init(
        .configuration, "proxy-credentials", message,
        "Set the environment variable https_proxy=http://USER:PASSWORD@HOST:PORT.")
    case .malformedResponse, .responseTooLarge, .decompressionRefused, .unexpectedBody:
      self.init(
        .unreadableData, "unreadable-data", message,
        "The logins are unchanged. Try again; if it persists, a proxy may change the response.")
    case .credentialsRefused, .redirectRefused, .invalidRequest:
      self.init(
        .configuration, "address-refused", message,
        "Check the provider's addresses in the configuration, "
          + "and the proxy variables of the environment.")
    case .insufficientScope(let needed, _, _):
      self.init(
        .signInRequired, "insufficient-scope", message,
        account.takesToken
          ? account.moreAccess
          : "Sign in again and request it, and for later sign-ins add it to "
            + "\(account.scopesKey): \(account.signIn)"
            + ScopeWords(needed ?? "").words.map { " --scope=\($0.shellWord)" }.joined())
    case .rateLimited:
      self.init(
        .tryAgainLater, "rate-limited", message, "Nothing was sent. Run it again after that time.")
    case .cancelled: self.init(.interrupted, "interrupted", message)
    case .closed, .bodyNotReplayable: self.init(.bug, "bug", message)
    case .connectionFailed, .connectionLost, .timedOut:
      self.init(
        .unavailable, "server-unavailable", message,
        error.startHint(account) ?? "The logins are unchanged. Check the network and try again.")
    }
  }
}

extension SessionError {
  /// The hint to start a server on this machine; `nil` for any other.
  func startHint(_ account: HintAccount) -> String? {
    guard case .connectionFailed(let origin?, _) = self,
      ["127.0.0.1", "[::1]", "localhost"].contains(origin.host)
    else { return nil }
    guard let sandbox = account.sandboxCommand(port: origin.port) else {
      return "No server runs there. Start it, or correct \(account.addressKey)."
    }
    return "No server runs there. Correct \(account.addressKey), or start the sandbox: \(sandbox)"
  }

  /// True if the user has to correct something before a retry can succeed.
  var needsCorrection: Bool {
    switch self {
    case .untrustedServer, .proxyAuthenticationRequired: true
    default: false
    }
  }
}
