import AppCore
import Authentication
import ErrorCodes
import Models
import SecureStore

// The hints of errors of a sign-in and of the store of the logins.
extension HintAccount {
  /// Returns the hint for an account without a login, or after a sign-in that did not succeed.
  func hintForSignIn(_ error: AuthenticationError?) -> Hint {
    let command = explicitSignIn
    guard case .signInFailed(_, let reason, _)? = error else {
      return Hint("Sign in with", command)
    }
    switch reason {
    case .timedOut:
      return Hint(
        "If the page showed an error, check that \(loginKey).clientID is right and that "
          + "\(redirectURI ?? "the redirect URI") is registered at the provider. Then try again",
        command)
    case .nothingPasted:
      return Hint(
        "Paste the whole address on which the browser ends, with code= and state= in it", command)
    case .tokenRefused:
      let option = "--token-stdin"
      return Hint(
        "The logins are unchanged. Check that the token is complete\(basicForm), and may read "
          + "invoices, then try again",
        command.words.contains(option) ? command : command.adding([option]))
    default: return Hint("Sign in with", command)
    }
  }

  /// Returns the hint for an error of the store of the logins.
  func hintForLogins(_ code: ErrorCode, _ error: (any CodedError)?) -> Hint {
    switch error as? SecretStoreError {
    case .keyUnavailable?:
      return checkKey.then("If the key is lost", ["help", "secret-store"])
    case .keyExposed(let path)?: return "Run: chmod 600 \(path.shellWord)"
    case .undecipherable(let path)?:
      return checkKey.then(
        "If the key is lost, rename the file and sign in again: "
          + "mv \(path.shellWord) \(ConfigurationDraft.unusedPath(path + ".old").shellWord)")
    case .elsewhere(let store, _, let record)?:
      return Hint(
        "Select \(store) again, or sign out with the configuration that selected it. "
          + "If its logins are lost: rm \(record.shellWord)")
    case .lockedElsewhere(let keyring)?:
      return Hint(
        "If the password of '\(keyring)' is lost, delete that keyring in Passwords and Keys "
          + "(seahorse) and sign in again. Otherwise unlock it there, or with", signIn)
    case .unavailable(.noDefaultCollection)?, .unavailable(.defaultCollectionGone)?:
      return Hint("Choose or create a default keyring in Passwords and Keys (seahorse).")
        .then("To keep logins without one", ["help", "secret-store"])
    case .locked?, .promptDismissed?:
      return Hint(
        "Unlock it by logging in to your desktop, or in Passwords and Keys (seahorse)."
      )
      .then("Without a desktop", ["help", "secret-store"])
    case .unavailable?:
      return isUnset
        ? Hint("Run this in a desktop session, or", ["setup", "--secret-store", "encrypted-file"])
        : Hint("Run this in a desktop session.")
          .then("To keep logins without one", ["help", "secret-store"])
    case .timedOut?: return "Try again; if it persists, restart the keyring."
    case .failed?, .duplicate?, .damaged?, .newerVersion?, nil: break
    }
    switch code {
    case .keyringDuplicate: return Hint("Sign in again, which replaces them all", signIn)
    case .secretStoreDamaged: return Hint("Sign in again, which renames the damaged file", signIn)
    case .newerSecretStore: return "Use the newer appcore that wrote it."
    case .secretStoreKey: return checkKey
    case .otherSecretStore:
      return "Select that store again, or sign out with the configuration that selected it."
    case .loginNotSaved:
      if case AuthenticationError.keptSealed? = error {
        return Hint(
          "Nothing is lost: a sealed file keeps the login. Unlock or start the keyring, or free "
            + "space on its disk; the next command stores it.")
      }
      return Hint(
        "Unlock or start the keyring, or free space on its disk, and run it again; "
          + "you may have to sign in again.")
    default:
      return Hint("Try again; if it persists, restart the keyring.")
        .then("To keep logins without it", ["help", "secret-store"])
    }
  }

  private var checkKey: Hint {
    "Check secretStore.keyFile in the configuration. The logins are unchanged."
  }
}
