import Crypto
import Foundation
import Glibc
import Synchronization
import SystemSupport

/// Reads and replaces the file of an ``EncryptedFileStore``; its calls block.
final class SecretFile: Sendable {
  let path: String
  private let keyFile: String
  private let isServiceCredential: Bool
  /// The last key that was derived, and what from: deriving is slow on purpose.
  private let cache = Mutex<
    (passphrase: Secret, from: SecretFileFormat.Derivation, key: SymmetricKey)?
  >(
    nil)

  init(path: String, keyFile: String, isServiceCredential: Bool) {
    self.path = path
    self.keyFile = keyFile
    self.isServiceCredential = isServiceCredential
  }

  /// All that is stored; nothing where there is no file yet.
  func read() throws -> [SecretFileFormat.Entry] {
    let passphrase = try passphrase()
    guard let file = try contents() else { return [] }
    return try entries(of: file, try key(passphrase, file.scrypt))
  }

  /// Changes what is stored, alone among all processes.
  func change<Value>(_ body: (inout [SecretFileFormat.Entry]) throws -> Value) throws -> Value {
    let passphrase = try passphrase()
    // Deriving the key is slow; it is done before the lock keeps others waiting.
    if let file = try contents() { _ = try key(passphrase, file.scrypt) }
    let lock = try lock()
    let result = Result { try changeLocked(passphrase, body) }
    lock.release()
    return try result.get()
  }

  /// Renames the file where it is damaged, and answers with its new name.
  func setDamagedAside() throws -> String? {
    guard try isDamaged() else { return nil }
    let lock = try lock()
    let result = Result { () throws -> String? in
      // Another process may have been faster.
      guard try isDamaged() else { return nil }
      let time = Date().formatted(.iso8601.timeSeparator(.omitted))
      let name = path + ".damaged-" + time
      var aside = name
      var number = 1
      while FileManager.default.fileExists(atPath: aside) {
        number += 1
        aside = "\(name)-\(number)"
      }
      guard unsafe rename(path, aside) == 0 else {
        throw SecretStoreError.failed(code: "\(path) cannot be renamed")
      }
      return aside
    }
    lock.release()
    return try result.get()
  }

  private func isDamaged() throws -> Bool {
    do {
      // What is seen without a key needs none.
      _ = try contents()
      _ = try read()
      return false
    } catch SecretStoreError.damaged {
      return true
    }
  }

  private func entries(
    of file: SecretFileFormat, _ key: SymmetricKey
  ) throws -> [SecretFileFormat.Entry] {
    do { return try file.entries(key: key) } catch { throw error.error(at: path) }
  }

  private func changeLocked<Value>(
    _ passphrase: Secret, _ body: (inout [SecretFileFormat.Entry]) throws -> Value
  ) throws -> Value {
    let file = try contents()
    let derivation = file?.scrypt ?? SecretFileFormat.Derivation()
    let key = try key(passphrase, derivation)
    var entries = try file.map { try self.entries(of: $0, key) } ?? []
    let value = try body(&entries)
    try replace(
      with: try JSONEncoder().encode(try SecretFileFormat(entries, derivation, key: key)))
    return value
  }

  private func contents() throws -> SecretFileFormat? {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      throw SecretStoreError.failed(code: "\(path) cannot be read")
    }
    do { return try SecretFileFormat(data) } catch { throw error.error(at: path) }
  }

  private func passphrase() throws -> Secret {
    let bytes: Data
    do {
      bytes = try PrivateFile(path: keyFile, isServiceCredential: isServiceCredential).read()
    } catch {
      switch error {
      case .exposed: throw SecretStoreError.keyExposed(path: keyFile)
      case .foreign:
        throw SecretStoreError.keyUnavailable(reason: "\(keyFile) belongs to another user")
      case .unreadable, .unsuitable:
        throw SecretStoreError.keyUnavailable(reason: "\(keyFile) cannot be read")
      }
    }
    var passphrase = Array(bytes)
    while let last = passphrase.last, last == 0x0A || last == 0x0D { passphrase.removeLast() }
    guard passphrase.count >= 16 else {
      throw SecretStoreError.keyUnavailable(reason: "\(keyFile) holds fewer than 16 bytes")
    }
    return Secret(passphrase)
  }

  private func key(
    _ passphrase: Secret, _ derivation: SecretFileFormat.Derivation
  ) throws -> SymmetricKey {
    let known = cache.withLock { cache in
      cache.flatMap { $0.passphrase == passphrase && $0.from == derivation ? $0.key : nil }
    }
    if let known { return known }
    guard derivation.isReasonable else { throw SecretStoreError.damaged(path: path) }
    let key = try derivation.key(from: passphrase)
    cache.withLock { $0 = (passphrase, derivation, key) }
    return key
  }

  /// Waits up to 10 s for another process; on a queue of its own, it may sleep.
  private func lock() throws -> FileLock {
    for _ in 0..<1_000 {
      do {
        if let lock = try FileLock.tryAcquire(at: path + ".lock") { return lock }
      } catch {
        throw SecretStoreError.failed(code: "the folder cannot be written")
      }
      usleep(10_000)
    }
    throw SecretStoreError.timedOut(operation: "write")
  }

  /// Writes beside the file, brings it to the disk, and only then lets it take the old one's place.
  private func replace(with data: Data) throws {
    let new = path + ".new"
    do {
      try? FileManager.default.removeItem(atPath: new)
      guard
        FileManager.default.createFile(
          atPath: new, contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw CocoaError(.fileWriteUnknown) }
      let handle = try FileHandle(forWritingTo: URL(filePath: new))
      try handle.write(contentsOf: data)
      try handle.synchronize()
      try handle.close()
      guard unsafe rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      // The name itself has to survive as well.
      let folder = try FileHandle(
        forReadingFrom: URL(filePath: path).deletingLastPathComponent())
      try folder.synchronize()
      try folder.close()
    } catch {
      throw SecretStoreError.failed(code: "\(path) cannot be written")
    }
  }
}

extension SecretFileFormat.Failure {
  fileprivate func error(at path: String) -> SecretStoreError {
    switch self {
    case .damaged: .damaged(path: path)
    case .otherKey: .undecipherable(path: path)
    case .newerVersion: .newerVersion(path: path)
    }
  }
}
