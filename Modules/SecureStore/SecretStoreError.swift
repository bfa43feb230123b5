public import ErrorCodes
public import Foundation

/// The reason why a call to a secret store failed, one case for each way to recover.
public enum SecretStoreError: Error, Sendable, Equatable {
  /// No store is available.
  case unavailable(reason: Unavailability)
  /// The store did not respond in time while it was doing `operation`, such as `waiting for the
  /// keyring`.
  case timedOut(operation: String)
  /// The store is locked; unlocking asks the user.
  case locked
  /// The secret is in another keyring than the default one, and that keyring is locked.
  case lockedElsewhere(keyring: String)
  /// The user dismissed the prompt.
  case promptDismissed
  /// Several secrets have the same key, so the right one is unknown.
  case duplicate(count: Int)
  /// The file of the store was encrypted with another key, and is left unchanged.
  case undecipherable(path: String)
  /// The file of the store is damaged, and no key opens it. A sign-in replaces it and keeps it
  /// under another name: ``SecretStore/quarantineDamaged()``.
  case damaged(path: String)
  /// The file of the store was written by a newer version of this program, and is left unchanged.
  case newerVersion(path: String)
  /// The logins are in another store than the one that is configured, as the file `record` says.
  case elsewhere(store: String, chosen: String, record: String)
  /// Other users may read or change the file that holds the key.
  case keyExposed(path: String)
  /// The key that decrypts the store cannot be obtained.
  case keyUnavailable(reason: String)
  /// The store refused; `code` is its own code, without any secret.
  case failed(code: String)

  /// The reason why there is no store.
  public enum Unavailability: String, Sendable {
    /// This environment has no D-Bus session bus.
    case noBus = "no D-Bus session"
    /// No program on the bus offers the Secret Service.
    case noService = "no Secret Service on the D-Bus session"
    /// The bus can start a Secret Service, but the service does not start.
    case notStarting = "the Secret Service does not start"
    /// The service ended during a call.
    case stopped = "the Secret Service stopped during a call"
    /// The service has no default keyring, and creating one would ask the user.
    case noDefaultCollection = "no default keyring"
    /// The service names a default keyring that does not exist.
    case defaultCollectionGone = "its default keyring does not exist"
  }
}

extension SecretStoreError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .keyUnavailable, .keyExposed, .undecipherable: .secretStoreKey
    case .damaged: .secretStoreDamaged
    case .newerVersion: .newerSecretStore
    case .elsewhere: .otherSecretStore
    case .duplicate: .keyringDuplicate
    case .locked, .lockedElsewhere, .promptDismissed, .unavailable, .timedOut, .failed:
      .keyringUnavailable
    }
  }

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unavailable(let reason): "cannot use the keyring: \(reason.rawValue)"
    case .timedOut: "the store of logins did not answer in time"
    case .locked: "the keyring is locked"
    case .lockedElsewhere(let keyring):
      "the keyring '\(keyring)', which holds the login, is locked"
    case .promptDismissed: "the prompt to unlock the keyring was dismissed"
    case .duplicate(let count): "the keyring holds \(count) logins where one is expected"
    case .undecipherable(let path):
      "cannot decrypt the login file \(path): it was encrypted with another key"
    case .damaged(let path): "the encrypted login file \(path) is damaged"
    case .newerVersion(let path): "the encrypted login file \(path) was written by a newer appcore"
    case .elsewhere(let store, let chosen, _):
      "the logins are in \(store), but the configuration selects \(chosen), "
        + "where every account would seem signed out"
    case .keyExposed(let path):
      "cannot read the encrypted login file: other users can read its key file \(path)"
    case .keyUnavailable(let reason): "cannot read the encrypted login file: \(reason)"
    case .failed(let code): "the secret store failed: \(code)"
    }
  }
}

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
