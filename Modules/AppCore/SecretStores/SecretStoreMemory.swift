import Foundation
import Logging
import SecureStore
import SystemSupport

/// A record of the store that holds the logins, so that a changed configuration does not hide them.
struct SecretStoreMemory: Sendable {
  private let path: String
  private let log: Logger

  init(path: String, log: Logger = Logger(label: "appcore.core")) {
    (self.path, self.log) = (path, log)
  }

  init(_ directories: Directories, log: Logger = Logger(label: "appcore.core")) {
    self.init(path: directories.state + "/secret-store", log: log)
  }

  func check(_ choice: String) throws(SecretStoreError) {
    guard let kept = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    let known = kept.trimmingCharacters(in: .whitespacesAndNewlines)
    guard known == choice else {
      throw .elsewhere(
        store: Self.title(of: known), chosen: Self.title(of: choice), record: path)
    }
  }

  private static func title(of name: String) -> String {
    let file = name.split(separator: ":", maxSplits: 1).dropFirst().first
    return file.map { "the encrypted file \($0)" } ?? "the \(name)"
  }

  func remember(_ choice: String) {
    change { try AtomicFile.replaceUnlocked(path, with: Data((choice + "\n").utf8)) }
  }

  func forget() {
    change {
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch CocoaError.fileNoSuchFile {}
    }
  }

  /// Changes the record; a failure is logged, because the logins themselves are stored.
  private func change(_ body: () throws -> Void) {
    do { try body() } catch {
      log.warning(
        "cannot record which store holds the logins",
        metadata: ["file": "\(path)", "error": "\(SystemErrorText.of(error) ?? "unknown cause")"])
    }
  }
}

/// A store that records its own name whenever it stores a secret, and refuses every call if the
/// secrets are in another one.
///
/// It refuses calls and not its creation: the records of invoices are read without any login.
struct RememberedSecretStore: SecretStore {
  private let backing: any SecretStore
  private let name: String
  private let memory: SecretStoreMemory

  init(backing: any SecretStore, name: String, memory: SecretStoreMemory) {
    (self.backing, self.name, self.memory) = (backing, name, memory)
  }

  /// The store, once it is known that the secrets are there.
  private var checked: any SecretStore {
    get throws(SecretStoreError) {
      try memory.check(name)
      return backing
    }
  }

  var identity: String { backing.identity }

  func secret(for key: SecretKey) async throws -> Secret? {
    try await checked.secret(for: key)
  }

  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try await checked.store(secret, for: key, label: label)
    memory.remember(name)
  }

  func removeSecret(for key: SecretKey) async throws -> Bool {
    try await checked.removeSecret(for: key)
  }

  func quarantineDamaged() async throws -> String? { try await checked.quarantineDamaged() }

  func unlock() async throws { try await checked.unlock() }

  func checkAvailability() async throws -> SecretStoreDescription {
    try await checked.checkAvailability()
  }
}
