import Foundation
import Models
import SecureStore

/// A record of the store that holds the logins, so that a changed configuration does not hide them.
struct SecretStoreMemory: Sendable {
  let path: String

  /// Checks that the logins are in the chosen store.
  ///
  /// - Throws: ``ConfigurationError`` if they are in another one.
  func check(_ choice: String) throws {
    guard let kept = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    let known = kept.trimmingCharacters(in: .whitespacesAndNewlines)
    guard known == choice else {
      throw ConfigurationError(
        source: "secretStore",
        problem: """
          earlier logins are in \(Self.title(of: known)), but this configuration selects \
          \(Self.title(of: choice)), which does not have them; appcore stops, because every \
          account would seem signed out
          """,
        fix: """
          Select the old store again. To change it for good, first run appcore logout --all with \
          the old configuration. A second setup beside the first needs a state folder of its own \
          (XDG_STATE_HOME, or state_folder of a library). If the earlier logins are lost: \
          rm \(path.shellWord)
          """)
    }
  }

  /// Returns the name of a store in words.
  private static func title(of name: String) -> String {
    let file = name.split(separator: ":", maxSplits: 1).dropFirst().first
    return file.map { "the encrypted file \($0)" } ?? "the \(name)"
  }

  func remember(_ choice: String) {
    try? Data((choice + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
  }

  func forget() {
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// A store that records its own name whenever it stores a secret.
struct RememberedSecretStore: SecretStore {
  let backing: any SecretStore
  let name: String
  let memory: SecretStoreMemory

  var identity: String { backing.identity }

  func secret(for key: SecretKey) async throws -> Secret? {
    try await backing.secret(for: key)
  }

  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try await backing.store(secret, for: key, label: label)
    memory.remember(name)
  }

  func removeSecret(for key: SecretKey) async throws -> Bool {
    try await backing.removeSecret(for: key)
  }

  func quarantineDamaged() async throws -> String? { try await backing.quarantineDamaged() }

  func unlock() async throws { try await backing.unlock() }

  func checkAvailability() async throws -> SecretStoreDescription {
    try await backing.checkAvailability()
  }
}
