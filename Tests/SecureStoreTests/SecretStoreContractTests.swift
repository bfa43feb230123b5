import Foundation
import SecureStore
import TestSupport
import Testing

/// One keyring for the process: GDBus keeps the first session bus that it finds.
private enum TestKeyring {
  static let started = Task {
    let keyring = try await PrivateKeyring.start()
    setenv("DBUS_SESSION_BUS_ADDRESS", keyring.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "", 1)
    return keyring
  }
}

/// The behaviour that every store must have.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SecretStoreContractTests {
  enum Kind: String, CaseIterable, Sendable {
    case memory
    case encryptedFile
    case libsecret
  }

  static var kinds: [Kind] {
    PrivateKeyring.isAvailable ? Kind.allCases : [.memory, .encryptedFile]
  }

  private func store(_ kind: Kind) async throws -> any SecretStore {
    switch kind {
    case .memory: return InMemorySecretStore()
    case .encryptedFile:
      let key = try Self.folder.write("a passphrase of some length\n", to: "key")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
      return EncryptedFileStore(path: Self.folder.file("logins"), keyFile: key)
    case .libsecret:
      _ = try await TestKeyring.started.value
      return LibsecretStore(callLimit: .seconds(20))
    }
  }

  private static let folder = {
    guard let folder = try? TemporaryDirectory() else { preconditionFailure("no folder") }
    return folder
  }()

  @Test("a stored secret is read, replaced and removed, byte for byte", arguments: kinds)
  func roundTrip(kind: Kind) async throws {
    let store = try await store(kind)
    let key = SecretKey(service: "test", account: UUID().uuidString)
    #expect(try await store.secret(for: key) == nil)
    #expect(try await store.removeSecret(for: key) == false)
    for bytes in [
      Array("tökèn".utf8), (0...255).map { UInt8($0) }, [], Array(repeating: 7, count: 65_536),
    ] {
      try await store.store(Secret(bytes), for: key, label: "test")
      #expect(try await store.secret(for: key)?.exposedBytes == bytes)
    }
    #expect(try await store.removeSecret(for: key))
    #expect(try await store.secret(for: key) == nil)
  }

  @Test("keys do not affect each other, even with 50 concurrent callers", arguments: kinds)
  func concurrency(kind: Kind) async throws {
    let store = try await store(kind)
    let service = UUID().uuidString
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let key = SecretKey(service: service, account: "\(number)")
          try await store.store(Secret("\(number)"), for: key, label: "test")
          #expect(try await store.secret(for: key) == Secret("\(number)"))
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<50 {
      #expect(try await store.removeSecret(for: SecretKey(service: service, account: "\(number)")))
    }
  }

  @Test("two handles on one store have one identity; it can be used and is open", arguments: kinds)
  func identity(kind: Kind) async throws {
    let store = try await store(kind)
    #expect(try await store.checkAvailability().isLocked == false)
    if kind != .memory { #expect(store.identity == (try await self.store(kind)).identity) }
    #expect(store.identity != InMemorySecretStore().identity)
  }

  @Test(
    "a caller that is cancelled gets its answer once, and the store stays usable", arguments: kinds)
  func cancellation(kind: Kind) async throws {
    let store = try await store(kind)
    let key = SecretKey(service: "test", account: "cancelled")
    let caller = Task { try await store.secret(for: key) }
    caller.cancel()
    _ = try? await caller.joined
    #expect(try await store.secret(for: key) == nil)
  }

  // Edge case 43
  @Test("a secret shows in no description, dump or interpolation")
  func redaction() {
    let secret = Secret("canary-token")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in [
      "\(secret)", String(reflecting: secret), dumped, String(describing: Optional(secret)),
    ] {
      #expect(!text.contains("canary"))
    }
    #expect(secret == Secret("canary-token"))
    #expect(secret != Secret("canary-tokex"))
  }
}
