import Foundation
import Glibc
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

  /// Made by another implementation of the file's format, Python's package `cryptography`.
  @Test("a file that another implementation of the format wrote is read")
  func knownAnswer() async throws {
    _ = try folder.write(
      #"""
      {"version": 1, "scrypt": {"salt": "AAECAwQFBgcICQoLDA0ODw==", "rounds": 32768, \#
      "blockSize": 8, "parallelism": 1}, "box": "ZGVmZ2hpamtsbW5vupJO55Z26qhWwAJL8kcZv66dRtFgaDL6\#
      KfMa/5XLzn48TASYykMLXZHe6RIgHoizlpxHsjA+hDXNQrvVRkvbPJ+olG5Uyccj2i7VTyJXfNWbSYHO9ysfdzBicEAd\#
      EwQu", "checksum": "q+X7iOM7XTvZjHkSgQG4O/ZOSWakNbSOHzS+4wE9h8w="}
      """#, to: "logins")
    #expect(try await store().secret(for: key) == Secret("known answer"))
  }

  /// Returns the error with which the store refuses its file as it is.
  private func refusal(_ store: EncryptedFileStore) async -> SecretStoreError? {
    do {
      _ = try await store.secret(for: key)
      return nil
    } catch {
      return error as? SecretStoreError
    }
  }

  private func replace(_ old: String, with new: String, in data: Data) -> Data {
    Data(String(decoding: data, as: UTF8.self).replacing(old, with: new).utf8)
  }

  // Edge case 20
  @Test("a damaged file is distinguished from one with another key, and both are left alone")
  func undecipherable() async throws {
    let store = try store()
    let path = folder.file("logins")
    try await store.store(Secret("one"), for: key, label: "")
    let sound = content
    #expect(
      await refusal(try self.store("another passphrase altogether"))
        == .undecipherable(path: path))
    await #expect(throws: SecretStoreError.undecipherable(path: path)) {
      try await self.store("another passphrase altogether").quarantineDamaged()
    }
    _ = try self.store()
    // Inside the box; where a text in Base64 ends, a bit can be flipped that has no meaning.
    let middle = try #require(sound.range(of: Data("\"box\":\"".utf8))).upperBound + 20
    let flipped = Data(
      sound.enumerated().map { $0.offset == middle ? $0.element ^ 1 : $0.element })
    for (damage, error) in [
      (sound.prefix(sound.count / 2), SecretStoreError.damaged(path: path)),
      (flipped, .damaged(path: path)),
      (Data("{}".utf8), .damaged(path: path)), (Data(), .damaged(path: path)),
      (replace("\"checksum\"", with: "\"checksun\"", in: sound), .damaged(path: path)),
      (replace("\"rounds\":32768", with: "\"rounds\":16384", in: sound), .damaged(path: path)),
      (replace("\"version\":1", with: "\"version\":9", in: sound), .newerVersion(path: path)),
    ] {
      try damage.write(to: URL(filePath: path))
      #expect(await refusal(store) == error)
      await #expect(throws: error) {
        try await store.store(Secret("two"), for: key, label: "")
      }
      #expect(content == damage)
    }
    try sound.write(to: URL(filePath: path))
    #expect(try await store.secret(for: key) == Secret("one"))
  }

  @Test("a damaged file is renamed whole, and the store starts empty")
  func setAside() async throws {
    let store = try store()
    try await store.store(Secret("one"), for: key, label: "")
    #expect(try await store.quarantineDamaged() == nil)
    var names: Set<String> = []
    for text in ["not a store", "nor is this"] {
      try Data(text.utf8).write(to: URL(filePath: folder.file("logins")))
      let aside = try #require(try await store.quarantineDamaged())
      #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
      names.insert(aside)
      #expect(try await store.secret(for: key) == nil)
      try await store.store(Secret("two"), for: key, label: "")
      #expect(try await store.secret(for: key) == Secret("two"))
    }
    #expect(names.count == 2)
  }

  @Test("a file whose damage shows without a key is renamed without one")
  func setAsideWithoutKey() async throws {
    _ = try folder.write("not a store", to: "logins")
    let store = EncryptedFileStore(path: folder.file("logins"), keyFile: folder.file("absent"))
    #expect(try await store.quarantineDamaged() != nil)
  }

  @Test(
    "a key that a group or others can read or change is refused, with its path",
    arguments: [0o640, 0o604, 0o620, 0o644, 0o660, 0o440])
  func exposed(mode: Int) async throws {
    let store = try store(mode: mode)
    #expect(await refusal(store) == .keyExposed(path: folder.file("key")))
  }

  @Test("a key that systemd passes may be the group's to read, and no more")
  func credential() async throws {
    for (mode, isRead) in [(0o400, true), (0o440, true), (0o460, false), (0o444, false)] {
      _ = try store(mode: mode)
      let store = EncryptedFileStore(
        path: folder.file("logins"), keyFile: folder.file("key"), isServiceCredential: true)
      #expect(await (refusal(store) == nil) == isRead, "\(String(mode, radix: 8))")
      try FileManager.default.removeItem(atPath: folder.file("key"))
    }
  }

  @Test("a key that is a pipe is refused immediately, not waited for")
  func pipe() async throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let store = EncryptedFileStore(path: folder.file("logins"), keyFile: path)
    await #expect(
      throws: SecretStoreError.keyUnavailable(reason: "cannot read its key file \(path)")
    ) {
      _ = try await store.secret(for: key)
    }
  }

  @Test("a key that is absent or short is refused with its reason")
  func keys() async throws {
    let store = try store("short")
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

  @Test("a link to a key is judged by its target")
  func link() async throws {
    let store = try store()
    try await store.store(Secret("one"), for: key, label: "")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("key"))
    let linked = EncryptedFileStore(path: folder.file("logins"), keyFile: folder.file("link"))
    #expect(try await linked.secret(for: key) == Secret("one"))
  }

  // Edge case 20
  @Test("a link to the file stays a link, and its target is replaced, also one that does not exist")
  func linkedFile() async throws {
    let target = folder.file("elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("logins"), withDestinationPath: "elsewhere")
    let store = try store()
    func isLink() -> Bool {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file("logins")))
        == "elsewhere"
    }
    for value in ["one", "two"] {
      try await store.store(Secret(value), for: key, label: "")
      #expect(isLink())
      let direct = EncryptedFileStore(path: target, keyFile: folder.file("key"))
      #expect(try await direct.secret(for: key) == Secret(value))
    }
    try Data("not a store".utf8).write(to: URL(filePath: target))
    #expect(try await store.quarantineDamaged()?.hasPrefix(target + ".damaged-") == true)
    #expect(isLink())
  }

  @Test("two handles that write concurrently lose nothing of each other")
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
