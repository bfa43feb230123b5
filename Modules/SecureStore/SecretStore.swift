/// A store that keeps secrets under keys, encrypted, for one user.
///
/// Every call returns in bounded time. Only ``unlock()`` asks the user.
public protocol SecretStore: Sendable {
  /// A text that identifies the store; two handles on the same store have the same one.
  var identity: String { get }

  /// Returns a secret; `nil` means that it definitely does not exist.
  ///
  /// - Throws: ``SecretStoreError``; a locked store throws, it never returns `nil`.
  func secret(for key: SecretKey) async throws -> Secret?

  /// Stores a secret, replacing a previous one; it is durable when the call returns.
  ///
  /// - Parameters:
  ///   - secret: the secret.
  ///   - key: the key of the secret.
  ///   - label: the name that keyring programs show to the user.
  /// - Throws: ``SecretStoreError``.
  func store(_ secret: Secret, for key: SecretKey, label: String) async throws

  /// Removes a secret, and returns true if there was one.
  ///
  /// - Throws: ``SecretStoreError``.
  func removeSecret(for key: SecretKey) async throws -> Bool

  /// Unlocks the store, asking the user if necessary.
  ///
  /// - Throws: ``SecretStoreError``.
  func unlock() async throws

  /// Renames a store that is too damaged to be read, so that the next secret starts a new one.
  ///
  /// - Returns: the new name; `nil` if the store is not damaged.
  /// - Throws: ``SecretStoreError``.
  func quarantineDamaged() async throws -> String?

  /// Checks that the store can be used, without asking or changing anything.
  ///
  /// - Throws: ``SecretStoreError``.
  func checkAvailability() async throws -> SecretStoreDescription
}

extension SecretStore {
  /// Does nothing: a store that other programs manage must not be replaced.
  public func quarantineDamaged() async throws -> String? { nil }
}

/// The key of a secret; it is stored in the clear.
public struct SecretKey: Sendable, Hashable {
  /// The program or part of it that the secret is for.
  public let service: String
  /// The account to which the secret belongs.
  public let account: String

  /// Creates a key.
  public init(service: String, account: String) {
    self.service = service
    self.account = account
  }
}

/// A description of a store for the user.
public struct SecretStoreDescription: Sendable, Equatable, CustomStringConvertible {
  /// The kind of store.
  public let backend: String
  /// The keyring within the store, if the store has several.
  public let collection: String?
  /// True if the store is locked.
  public let isLocked: Bool

  /// Creates a description.
  public init(backend: String, collection: String?, isLocked: Bool) {
    self.backend = backend
    self.collection = collection
    self.isLocked = isLocked
  }

  /// One line.
  public var description: String {
    // A store that is a file has its path in place of a keyring's name.
    let place = collection.map { $0.hasPrefix("/") ? " \($0)" : ", keyring '\($0)'" }
    return backend + (place ?? "") + (isLocked ? ", locked" : "")
  }
}
