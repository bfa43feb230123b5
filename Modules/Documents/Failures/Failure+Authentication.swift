import AppCore
import Authentication
import Models
import Networking
import SecureStore

extension Failure {
  init(_ error: AuthenticationError, in configuration: CoreConfiguration?) {
    let message = configuration?.sentence(for: error) ?? error.description
    switch error {
    case .signInFailed(let account, let reason, _):
      self.init(
        .signInRequired, "sign-in-required", message,
        Self.hint(after: reason, account, in: configuration))
    case .signInRequired(let account, .otherServer, _):
      self.init(
        .signInRequired, "other-login", message,
        "Use another account name, or replace the login: "
          + Self.signInCommand(account, in: configuration) + " --replace")
    case .signInRequired(let account, _, _):
      self.init(
        .signInRequired, "sign-in-required", message,
        "Sign in with: " + Self.signInCommand(account, in: configuration))
    case .temporarilyUnavailable(let name, let retryAt, let underlying):
      let account = HintAccount(name, in: configuration)
      if let session = underlying as? SessionError, session.needsCorrection {
        self.init(session, account)
      } else if let retryAt {
        self.init(
          .tryAgainLater, "authorization-server-busy", message,
          (error.leavesLoginUnchanged ? "The logins are unchanged. " : "")
            + "Try again after \(Timestamp(retryAt)).")
      } else {
        self.init(
          .unavailable, "authorization-server-unavailable", message,
          (underlying as? SessionError)?.startHint(account)
            ?? (error.leavesLoginUnchanged
              ? "The logins are unchanged. Check the network and try again."
              : "Check the network and try again; the login works unless its answer was lost."))
      }
    case .misconfigured(let account, let reason, _):
      self.init(
        .configuration, "client-refused", message,
        "The logins are unchanged. Check \(Self.keys(of: account, toFix: reason)).")
    case .secretStoreUnavailable(let name, let underlying):
      self.init(underlying, HintAccount(name, in: configuration), in: configuration)
    case .lockUnavailable:
      self.init(
        .tryAgainLater, "lock-unavailable", message,
        "If another appcore is renewing this login, wait for it; "
          + "otherwise make the state folder writable.")
    case .notSaved:
      self.init(
        .tryAgainLater, "login-not-saved", message,
        "Unlock or start the keyring, or free space on its disk, and run it again; "
          + "you may have to sign in again.")
    case .keptSealed:
      self.init(
        .tryAgainLater, "login-not-saved", message,
        "Nothing is lost: a sealed file keeps the login. Unlock or start the keyring, or free space "
          + "on its disk; the next command stores it.")
    case .authenticatorExists: self.init(.bug, "bug", message)
    case .unknownAccount(let name):
      let known = configuration?.accounts.keys.sorted() ?? []
      self.init(
        .configuration, "unknown-account",
        message + (known.isEmpty ? "" : "; available: " + known.joined(separator: ", ")),
        Account.isValid(name: name)
          ? "Use one of these, or add accounts.\(name) to the configuration file."
          : "Use one of these.")
    }
  }

  /// Returns the keys of an account that an error code of OAuth is about (RFC 6749 section 5.2, RFC
  /// 8707 section 2).
  private static func keys(of account: String, toFix code: String) -> String {
    // A sentence is about an address; a code of OAuth contains no space.
    if code.contains(" ") {
      return "the addresses of its provider: issuer, authorizationURL and tokenURL"
    }
    let keys =
      switch code {
      case "invalid_client", "unauthorized_client":
        "clientID, clientSecretFile and clientAuthentication"
      case "invalid_scope": "scopes"
      case "invalid_target": "resources and audience"
      default: "clientID, clientSecretFile and scopes"
      }
    return "\(keys) of accounts.\(account)"
  }

  init(
    _ error: SecretStoreError, _ account: HintAccount, in configuration: CoreConfiguration? = nil
  ) {
    let message = error.description
    switch error {
    case .keyUnavailable:
      self.init(
        .configuration, "secret-store-key", message,
        "Check secretStore.keyFile in the configuration. The logins are unchanged. "
          + "If the key is lost: appcore help secret-store")
    case .keyExposed(let path):
      self.init(.configuration, "secret-store-key", message, "Run: chmod 600 \(path.shellWord)")
    case .undecipherable(let path):
      self.init(
        .configuration, "secret-store-key", message,
        "Check secretStore.keyFile in the configuration. The logins are unchanged. "
          + "If the key is lost, rename the file and sign in again: "
          + "mv \(path.shellWord) \((path + ".old").shellWord)")
    case .damaged:
      self.init(
        .signInRequired, "secret-store-damaged", message,
        "Sign in again: \(account.signIn). It renames the damaged file.")
    case .newerVersion:
      self.init(
        .configuration, "newer-secret-store", message, "Use the newer appcore that wrote it.")
    case .elsewhere(let store, _, let record):
      self.init(
        .configuration, "other-secret-store", message,
        "Select \(store) again, or sign out with the configuration that selected it. "
          + "If its logins are lost: rm \(record.shellWord)")
    case .duplicate:
      self.init(
        .tryAgainLater, "keyring-duplicate", message,
        "Sign in again, which replaces them all: \(account.signIn)")
    case .lockedElsewhere(let keyring):
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        "Unlock '\(keyring)' in Passwords and Keys (seahorse), or with: \(account.signIn). "
          + "If its password is lost, delete that keyring there and sign in again.")
    case .unavailable(.noDefaultCollection), .unavailable(.defaultCollectionGone):
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        "Choose or create a default keyring in Passwords and Keys (seahorse). "
          + "To keep logins without one: appcore help secret-store")
    case .locked, .promptDismissed:
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        "Unlock it by logging in to your desktop, or in Passwords and Keys (seahorse). "
          + "Without a desktop: appcore help secret-store")
    case .unavailable:
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        configuration?.isUnset == true
          ? "Run this in a desktop session, or: appcore setup --secret-store encrypted-file"
          : "Run this in a desktop session. To keep logins without one: appcore help secret-store")
    case .timedOut:
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        "Try again; if it persists, restart the keyring.")
    case .failed:
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        "Try again; if it persists, restart the keyring. "
          + "To keep logins without it: appcore help secret-store")
    }
  }
}
