import Synchronization

/// A store that forgets everything when the process ends; for tests and for logins that must not
/// outlive a session.
public final class InMemorySecretStore: SecretStore {
  private static let count = Mutex(0)
  private let secrets = Mutex<[SecretKey: Secret]>([:])

  /// Unique to this object.
  public let identity: String

  /// Creates an empty store.
  public init() {
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    identity = "memory:\(number)"
  }

  /// Reads a secret.
  public func secret(for key: SecretKey) async throws -> Secret? {
    secrets.withLock { $0[key] }
  }

  /// Stores a secret.
  public func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    secrets.withLock { $0[key] = secret }
  }

  /// Removes a secret.
  public func removeSecret(for key: SecretKey) async throws -> Bool {
    secrets.withLock { $0.removeValue(forKey: key) != nil }
  }

  /// Does nothing: it is never locked.
  public func unlock() async throws {}

  /// Always available.
  public func checkAvailability() async throws -> SecretStoreDescription {
    SecretStoreDescription(backend: "memory", collection: nil, isLocked: false)
  }
}
