import Foundation
import SystemSupport

/// A file that is encrypted with a key of the machine's, for servers where there is no keyring.
///
/// It is used where the configuration names it, and never in place of a keyring that does not
/// answer. The key comes from a file that only its owner can read, or from a systemd credential.
public struct EncryptedFileStore: SecretStore {
  private let file: SecretFile

  /// Creates a handle; nothing is read before the first call.
  ///
  /// - Parameters:
  ///   - path: the file; it is made at the first write, in a folder that has to exist.
  ///   - keyFile: a file that holds the passphrase; only its owner may have any right to it.
  ///   - isServiceCredential: whether systemd handed the key over; its group may read it then,
  ///     since that is how its access control list looks.
  public init(path: String, keyFile: String, isServiceCredential: Bool = false) {
    file = SecretFile(
      path: path, keyFile: keyFile, isServiceCredential: isServiceCredential)
  }

  /// The same for every handle on the same file.
  public var identity: String { "encrypted-file:" + file.path }

  /// Reads a secret.
  public func secret(for key: SecretKey) async throws -> Secret? {
    try await BlockingWork.run {
      try file.read().first { $0.key == key }.map { Secret(Array($0.secret)) }
    }
  }

  /// Writes the file anew and puts it in the old one's place; it is durable when the call returns.
  public func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try await BlockingWork.run {
      try file.change { entries in
        entries.removeAll { $0.key == key }
        entries.append(
          .init(
            service: key.service, account: key.account, label: label,
            secret: .init(secret.exposedBytes)))
      }
    }
  }

  /// Removes a secret.
  public func removeSecret(for key: SecretKey) async throws -> Bool {
    try await BlockingWork.run {
      try file.change { entries in
        let count = entries.count
        entries.removeAll { $0.key == key }
        return entries.count < count
      }
    }
  }

  /// Renames the file where it is damaged.
  public func setDamagedAside() async throws -> String? {
    try await BlockingWork.run { try file.setDamagedAside() }
  }

  /// Does nothing: with its key it is open.
  public func unlock() async throws {}

  /// Looks whether the key is there and fits.
  public func checkAvailability() async throws -> SecretStoreDescription {
    try await BlockingWork.run {
      _ = try file.read()
      return SecretStoreDescription(
        backend: "encrypted file", collection: file.path, isLocked: false)
    }
  }
}

extension SecretFileFormat.Entry {
  fileprivate var key: SecretKey { SecretKey(service: service, account: account) }
}
