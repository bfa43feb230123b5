import Foundation
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
          your logins are stored in '\(known)', but the configuration selects '\(choice)'; \
          sign out with the old configuration (appcore logout --all), or remove \(path)
          """)
    }
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
