public import Foundation

extension SecretStoreError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .unavailable(.noDefaultCollection), .unavailable(.defaultCollectionGone):
      "Choose or create a default keyring in Passwords and Keys (seahorse)."
    case .unavailable:
      "Start a keyring, such as GNOME Keyring or KWallet. On a server, use an encrypted file."
    case .locked, .promptDismissed: "Unlock the keyring, then try again."
    case .lockedElsewhere:
      "Unlock that keyring, then try again. If its password is lost, delete it and sign in again."
    case .timedOut(let operation) where operation == "read" || operation == "check":
      "The logins are unchanged. Try again."
    case .timedOut, .failed: "Try again."
    case .duplicate: "Sign in again, which replaces them all."
    case .undecipherable, .keyUnavailable:
      "The logins are unchanged. Check the file that holds the key."
    case .keyExposed(let path): "Let only its owner read it: chmod 600 \(path)"
    case .damaged: "Sign in again, which renames the damaged file."
    case .elsewhere(let store, _, _):
      "Select \(store) again, or sign out of all accounts there first."
    case .newerVersion: "Use the newer version that wrote it."
    }
  }
}
