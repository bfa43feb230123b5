import Foundation
import SecureStore

/// Remembers in which store the first login was put, so that another configuration cannot lose it
/// from sight.
struct SecretStoreMemory: Sendable {
  let path: String

  /// - Throws: ``ConfigurationError`` where the logins are in another store than this.
  func check(_ choice: String) throws {
    guard let kept = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    let known = kept.trimmingCharacters(in: .whitespacesAndNewlines)
    guard known == choice else {
      throw ConfigurationError(
        source: "secretStore",
        problem: """
          the logins of this person are kept in '\(known)', and the configuration says '\(choice)'; \
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

/// A store that remembers itself when it is given its first secret.
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

  func setDamagedAside() async throws -> String? { try await backing.setDamagedAside() }

  func unlock() async throws { try await backing.unlock() }

  func checkAvailability() async throws -> SecretStoreDescription {
    try await backing.checkAvailability()
  }
}
