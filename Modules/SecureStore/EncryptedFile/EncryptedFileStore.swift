import Foundation
import SystemSupport

/// A file encrypted with a key of the machine, for servers without a keyring.
///
/// It is used only if the configuration names it, never instead of a keyring that does not respond.
/// The key comes from a file that only its owner can read, or from a systemd credential.
public struct EncryptedFileStore: SecretStore {
  private let file: SecretFile

  /// Creates a handle; nothing is read before the first call.
  ///
  /// - Parameters:
  ///   - path: the file; it is created at the first write, in a folder that has to exist.
  ///   - keyFile: a file with the passphrase; only its owner may have access.
  ///   - isServiceCredential: true if systemd provides the key. The mode then shows a right of the
  ///     group to read, which stands for an access control list.
  public init(path: String, keyFile: String, isServiceCredential: Bool = false) {
    file = SecretFile(
      path: path, keyFile: keyFile, isServiceCredential: isServiceCredential)
  }

  /// An identity that is the same for every handle on the same file.
  public var identity: String { "encrypted-file:" + file.path }

  /// Reads a secret.
  public func secret(for key: SecretKey) async throws -> Secret? {
    try await BlockingWork.run {
      try file.read().first { $0.key == key }.map { Secret(Array($0.secret)) }
    }
  }

  /// Writes a new file and replaces the old one; it is durable when the call returns.
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

  /// Renames the file if it is damaged.
  public func quarantineDamaged() async throws -> String? {
    try await BlockingWork.run { try file.quarantineDamaged() }
  }

  /// Does nothing: the key opens the file.
  public func unlock() async throws {}

  /// Checks that the key exists and opens the file.
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
