import Authentication
import Foundation
import InMemoryLogging
import Logging
import Models
import SecureStore
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The store that holds the logins is not changed by an edit of the configuration.
@Suite(.timeLimit(.minutes(10))) struct SecretStoreMemoryTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test("a store without the logins is refused, and the error names the one that has them")
  func changed() throws {
    let memory = SecretStoreMemory(path: folder.file("secret-store"))
    try memory.check("keyring")
    memory.remember("encrypted-file:/data/logins: old")
    try memory.check("encrypted-file:/data/logins: old")
    #expect(
      throws: SecretStoreError.elsewhere(
        store: "the encrypted file /data/logins: old", chosen: "the keyring",
        record: folder.file("secret-store"))
    ) { try memory.check("keyring") }
    memory.forget()
    try memory.check("keyring")
  }

  @Test("a record that cannot be written is a warning, and one that is missing is forgotten")
  func unwritable() throws {
    let handler = InMemoryLogHandler()
    let log = Logger(label: "test") { _ in handler }
    SecretStoreMemory(path: folder.file("secret-store"), log: log).forget()
    #expect(handler.entries.isEmpty)
    SecretStoreMemory(path: folder.file("missing/secret-store"), log: log).remember("keyring")
    #expect(
      handler.entries.map { "\($0.message)" } == ["cannot record which store holds the logins"])
    #expect(handler.entries.first?.metadata["error"] == "No such file or directory")
  }

  @Test("a changed service is refused, and the error names the earlier one")
  func service() throws {
    let memory = SecretStoreMemory(path: folder.file("secret-store"))
    memory.remember("keyring, service my-program")
    #expect(
      throws: SecretStoreError.elsewhere(
        store: "the keyring, service my-program", chosen: "the keyring",
        record: folder.file("secret-store"))
    ) { try memory.check("keyring") }
  }

  @Test("records can be read while the logins are in another store, and every login is refused")
  func reading() async throws {
    let directories = Directories(environment: ["HOME": folder.path])
    try FileManager.default.createDirectory(
      atPath: directories.state, withIntermediateDirectories: true)
    SecretStoreMemory(directories).remember("keyring")
    _ = try folder.write("a passphrase of several words", to: "key")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.file("key"))
    var configuration = CoreConfiguration()
    var account = AccountConfiguration(provider: "xero")
    account.clientID = "c"
    configuration.accounts = ["default": account]
    configuration.secretStore = .encryptedFile(keyFile: folder.file("key"), path: nil)
    let core = try ApplicationCore(configuration: configuration, directories: directories)
    #expect(try await core.databaseForReading(account: "default") == nil)
    func isRefused(_ call: () async throws -> Void) async -> Bool {
      do { try await call() } catch SecretStoreError.elsewhere { return true } catch {
        guard case AuthenticationError.secretStoreUnavailable(_, .elsewhere) = error else {
          return false
        }
        return true
      }
      return false
    }
    let tokens = try #require(TokenSet(pasted: "token"))
    #expect(await isRefused { _ = try await core.signIn("default", with: .tokens(tokens)) })
    #expect(await isRefused { _ = try await core.signOut("default") })
    #expect(await isRefused { _ = try await core.authenticator.setTokens(tokens, for: "default") })
    #expect(await isRefused { _ = try await core.sync(.invoices, account: "default").run() })
    let state = try await core.state(ofAccount: "default")
    guard case .openSecretStore(.elsewhere)? = state.userAction else {
      Issue.record("\(String(describing: state.userAction))")
      return
    }
    #expect(throws: Never.self) { try SecretStoreMemory(directories).check("keyring") }
    try await core.close()
  }
}
