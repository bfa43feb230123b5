import SecureStore

/// A store that keeps the logins where the program keeps its other secrets.
actor VaultStore: SecretStore {
  nonisolated let identity: String
  private var secrets: [SecretKey: Secret] = [:]
  private var isLocked: Bool

  init(name: String, isLocked: Bool = false) {
    identity = "vault:" + name
    self.isLocked = isLocked
  }

  func secret(for key: SecretKey) async throws -> Secret? {
    try requireUnlocked()
    return secrets[key]
  }

  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try requireUnlocked()
    secrets[key] = secret
  }

  func removeSecret(for key: SecretKey) async throws -> Bool {
    try requireUnlocked()
    return secrets.removeValue(forKey: key) != nil
  }

  func unlock() async throws { isLocked = false }

  func checkAvailability() async throws -> SecretStoreDescription {
    SecretStoreDescription(backend: "vault", collection: nil, isLocked: isLocked)
  }

  private func requireUnlocked() throws {
    // Never `nil`: the core would take it for "not signed in", and ask the user.
    if isLocked { throw SecretStoreError.locked }
  }
}
