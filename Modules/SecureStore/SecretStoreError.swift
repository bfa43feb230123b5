/// The reason that a secret store gave no answer, one case for each recovery.
public enum SecretStoreError: Error, Sendable, Equatable {
  /// There is no store to speak to.
  case unavailable(reason: Unavailability)
  /// The store did not answer in time.
  case timedOut(operation: String)
  /// The store is locked; unlocking asks the user.
  case locked
  /// The user closed the question.
  case promptDismissed
  /// Several secrets stand under one key, so which is meant cannot be known.
  case duplicate(count: Int)
  /// The file of the store was encrypted with another key; or it is damaged, where a version of
  /// this program wrote it that left no checksum. It is left as it is.
  case undecipherable(path: String)
  /// The file of the store is damaged; no key opens it any more. A sign-in replaces it and keeps it
  /// under another name: ``SecretStore/setDamagedAside()``.
  case damaged(path: String)
  /// The file of the store was written by a newer version of this program. It is left as it is.
  case newerVersion(path: String)
  /// Others may read or change the file that holds the key.
  case keyExposed(path: String)
  /// The key that the store is encrypted with cannot be had.
  case keyUnavailable(reason: String)
  /// The store refused; `code` is its own word, without any secret.
  case failed(code: String)

  /// The reason that there is no store.
  public enum Unavailability: String, Sendable {
    /// No D-Bus session bus in this environment.
    case noBus = "no D-Bus session"
    /// Nobody on the bus offers the Secret Service.
    case noService = "no Secret Service on the D-Bus session"
    /// The bus can start a Secret Service, and what it starts does not come up.
    case notStarting = "a Secret Service that does not start"
    /// The service ended between a question and its answer.
    case stopped = "no Secret Service any more: it ended in the middle of a call"
    /// The service has no default keyring, and making one would ask the user.
    case noDefaultCollection = "no default keyring"
  }
}

extension SecretStoreError: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .unavailable(let reason): "there is \(reason.rawValue)"
    case .timedOut(let operation): "it did not answer in time (\(operation))"
    case .locked: "it is locked"
    case .promptDismissed: "the question to unlock it was dismissed"
    case .duplicate(let count): "it holds \(count) entries where one is expected"
    case .undecipherable(let path): "the key does not open \(path)"
    case .damaged(let path): "\(path) is damaged"
    case .newerVersion(let path): "\(path) was written by a newer appcore"
    case .keyExposed(let path): "others have access to its key in \(path)"
    case .keyUnavailable(let reason): "its key cannot be had: \(reason)"
    case .failed(let code): "it refused (\(code))"
    }
  }
}
