import AppCore
import ArgumentParser
import SecureStore
import SystemSupport

/// The choice of `appcore setup` between the system keyring and an encrypted file.
struct SetupStore: Sendable {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case keyring
    case encryptedFile = "encrypted-file"
  }

  let environment: CommandEnvironment
  let terminal: Terminal
  let asks: Bool

  /// Selects the store, before anything is written.
  ///
  /// Without a keyring it asks the user; it never takes the file by itself.
  ///
  /// - Parameters:
  ///   - given: the option's value.
  ///   - path: the configuration file, beside which the key of an encrypted file is.
  ///   - created: gets the path of a new key, for a setup that fails.
  /// - Returns: the file with the key of an encrypted file; `nil` for the keyring.
  /// - Throws: ``ConfigurationError`` without a keyring; `SecretStoreError` if the store cannot be
  ///   used, or the logins are in another one.
  func select(
    _ given: Kind?, beside path: String, created: inout [String]
  ) async throws -> String? {
    var keyFile = given == .encryptedFile ? try useFile(beside: path, created: &created) : nil
    do { try await check(keyFile) } catch SecretStoreError.unavailable(let reason)
      where given == nil
    {
      guard try await usesFile(reason) else { throw Self.withoutKeyring(reason) }
      keyFile = try useFile(beside: path, created: &created)
      try await check(keyFile)
    }
    return keyFile
  }

  private func check(_ keyFile: String?) async throws {
    if keyFile == nil, let store = environment.secretStore {
      _ = try await store.checkAvailability()
      return
    }
    try await ConfigurationDraft.checkSecretStore(
      keyFile: keyFile, in: Directories(environment: environment.variables),
      ServiceCredentials(environment: environment.variables))
  }

  private func useFile(beside path: String, created: inout [String]) throws -> String {
    let keyFile = ConfigurationDraft.keyFile(beside: path)
    if try ConfigurationDraft.writeKey(to: keyFile) { created.append(keyFile) }
    return keyFile
  }

  private func usesFile(_ reason: SecretStoreError.Unavailability) async throws -> Bool {
    guard asks else { return false }
    terminal.post("The keyring cannot be used: \(reason.rawValue).")
    await terminal.flush()
    return try await environment.asks("Keep the login in an encrypted file instead? [y/N] ")
      ?? false
  }

  private static func withoutKeyring(
    _ reason: SecretStoreError.Unavailability
  ) -> ConfigurationError {
    ConfigurationError(
      source: "secretStore", problem: "cannot use the keyring: \(reason.rawValue)",
      fix: "Run setup in a desktop session, or keep the login in an encrypted file: "
        + "appcore setup --secret-store encrypted-file")
  }
}
