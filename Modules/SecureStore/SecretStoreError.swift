/// The reason why a call to a secret store failed, one case for each way to recover.
public enum SecretStoreError: Error, Sendable, Equatable {
  /// No store is available.
  case unavailable(reason: Unavailability)
  /// The store did not respond in time.
  case timedOut(operation: String)
  /// The store is locked; unlocking asks the user.
  case locked
  /// The user dismissed the prompt.
  case promptDismissed
  /// Several secrets have the same key, so the right one is unknown.
  case duplicate(count: Int)
  /// The file of the store was encrypted with another key, and is left unchanged.
  case undecipherable(path: String)
  /// The file of the store is damaged, and no key opens it. A sign-in replaces it and keeps it
  /// under another name: ``SecretStore/setDamagedAside()``.
  case damaged(path: String)
  /// The file of the store was written by a newer version of this program, and is left unchanged.
  case newerVersion(path: String)
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
    case notStarting = "a Secret Service that does not start"
    /// The service ended during a call.
    case stopped = "no Secret Service any more: it ended in the middle of a call"
    /// The service has no default keyring, and creating one would ask the user.
    case noDefaultCollection = "no default keyring"
  }
}

extension SecretStoreError: CustomStringConvertible {
  /// A sentence for the user.
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
