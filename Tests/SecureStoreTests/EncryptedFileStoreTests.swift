import Foundation
import SecureStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EncryptedFileStoreTests {
  private let folder: TemporaryDirectory
  private let key = SecretKey(service: "test", account: "a")

  init() throws { folder = try TemporaryDirectory() }

  private func store(_ passphrase: String = "a passphrase of some length", mode: Int = 0o600) throws
    -> EncryptedFileStore
  {
    let keyFile = try folder.write(passphrase, to: "key")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keyFile)
    return EncryptedFileStore(path: folder.file("logins"), keyFile: keyFile)
  }

  private var content: Data {
    FileManager.default.contents(atPath: folder.file("logins")) ?? Data()
  }

  @Test("the file is its owner's alone and shows no secret, label or account")
  func atRest() async throws {
    try await store().store(Secret("canary-secret"), for: key, label: "canary-label")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("logins"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    for text in ["canary", "\"account\""] { #expect(content.range(of: Data(text.utf8)) == nil) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("logins.new")))
  }

  @Test("another key, a damaged file or an unknown version is undecipherable, and left as it is")
  func undecipherable() async throws {
    let store = try store()
    try await store.store(Secret("one"), for: key, label: "")
    let sound = content
    await #expect(throws: SecretStoreError.undecipherable) {
      _ = try await self.store("another passphrase altogether").secret(for: key)
    }
    _ = try self.store()
    for damage in [
      sound.dropLast(40) + Data("A".utf8) + sound.suffix(39), Data("{}".utf8), Data(),
      Data(
        String(decoding: sound, as: UTF8.self).replacing(
          "\"rounds\":32768", with: "\"rounds\":16384"
        ).utf8),
      Data(
        String(decoding: sound, as: UTF8.self).replacing("\"version\":1", with: "\"version\":9")
          .utf8),
    ] {
      try damage.write(to: URL(filePath: folder.file("logins")))
      await #expect(throws: SecretStoreError.undecipherable) {
        _ = try await store.secret(for: key)
      }
      await #expect(throws: SecretStoreError.undecipherable) {
        try await store.store(Secret("two"), for: key, label: "")
      }
      #expect(content == damage)
    }
    try sound.write(to: URL(filePath: folder.file("logins")))
    #expect(try await store.secret(for: key) == Secret("one"))
  }

  @Test(
    "a key that is absent, short or open to others is refused with its reason",
    arguments: [("short", 0o600), ("a passphrase of some length", 0o644)])
  func keys(passphrase: String, mode: Int) async throws {
    let store = try store(passphrase, mode: mode)
    await #expect {
      _ = try await store.secret(for: key)
    } throws: { error in
      if case SecretStoreError.keyUnavailable = error { true } else { false }
    }
    try FileManager.default.removeItem(atPath: folder.file("key"))
    await #expect {
      try await store.store(Secret("x"), for: key, label: "")
    } throws: { error in
      if case SecretStoreError.keyUnavailable = error { true } else { false }
    }
    #expect(content.isEmpty)
  }

  @Test("a link to a key is judged by what it leads to")
  func link() async throws {
    let store = try store()
    try await store.store(Secret("one"), for: key, label: "")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("key"))
    let linked = EncryptedFileStore(path: folder.file("logins"), keyFile: folder.file("link"))
    #expect(try await linked.secret(for: key) == Secret("one"))
  }

  @Test("two handles that write at once lose nothing of each other")
  func handles() async throws {
    let handles = try (0..<2).map { _ in try store() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await handles[number % 2].store(
            Secret("\(number)"), for: SecretKey(service: "test", account: "\(number)"), label: "")
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<20 {
      let key = SecretKey(service: "test", account: "\(number)")
      #expect(try await handles[0].secret(for: key) == Secret("\(number)"))
    }
  }
}
