/// Keeps secrets under keys, encrypted, for this person.
///
/// Every call answers in bounded time. None but ``unlock()`` ever asks the user anything.
public protocol SecretStore: Sendable {
  /// Tells stores apart; two handles on the same store have the same.
  var identity: String { get }

  /// Reads a secret; `nil` means that it is definitely not there.
  ///
  /// - Throws: ``SecretStoreError``; a locked store throws, it never answers `nil`.
  func secret(for key: SecretKey) async throws -> Secret?

  /// Stores a secret, replacing what was there; it is durable when the call returns.
  ///
  /// - Parameters:
  ///   - secret: the bytes to keep.
  ///   - key: the key to keep them under.
  ///   - label: the name that keyring programs show the user.
  /// - Throws: ``SecretStoreError``.
  func store(_ secret: Secret, for key: SecretKey, label: String) async throws

  /// Removes a secret, and returns true if there was one.
  ///
  /// - Throws: ``SecretStoreError``.
  func removeSecret(for key: SecretKey) async throws -> Bool

  /// Unlocks the store, asking the user where that is needed.
  ///
  /// - Throws: ``SecretStoreError``.
  func unlock() async throws

  /// Renames a store that is damaged beyond reading, so that the next secret begins a new one.
  ///
  /// - Returns: its new name; `nil` if there is nothing damaged.
  /// - Throws: ``SecretStoreError``.
  func setDamagedAside() async throws -> String?

  /// Looks whether the store can be used, without asking or changing anything.
  ///
  /// - Throws: ``SecretStoreError``.
  func checkAvailability() async throws -> SecretStoreDescription
}

extension SecretStore {
  /// Does nothing: a store that other programs look after is not this one's to replace.
  public func setDamagedAside() async throws -> String? { nil }
}

/// The key of a secret; it is stored in the clear.
public struct SecretKey: Sendable, Hashable {
  /// The program or part of it that the secret is for.
  public let service: String
  /// Whose secret it is.
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
  /// The keyring in it that is used, where it has several.
  public let collection: String?
  /// True if it is locked.
  public let isLocked: Bool

  /// Creates a description.
  public init(backend: String, collection: String?, isLocked: Bool) {
    self.backend = backend
    self.collection = collection
    self.isLocked = isLocked
  }

  /// One line.
  public var description: String {
    backend + (collection.map { ", keyring '\($0)'" } ?? "") + (isLocked ? ", locked" : "")
  }
}
