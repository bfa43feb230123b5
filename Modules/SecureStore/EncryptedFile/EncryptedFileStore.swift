import Foundation
import Glibc
import Synchronization
import SystemSupport

/// A file encrypted with a key of the machine, for servers without a keyring.
///
/// It is used only if the configuration names it, never instead of a keyring that does not respond.
/// The key comes from a file that only its owner can read, or from a systemd credential.
public struct EncryptedFileStore: SecretStore {
  private let file: SecretFile

  /// Creates a handle; nothing is read before the first call.
  ///
  /// - Parameters:
  ///   - path: the file; it is created at the first write, in a folder that has to exist.
  ///   - keyFile: a file with the passphrase; only its owner may have access.
  ///   - isServiceCredential: true if systemd provides the key. The mode then shows a right of the
  ///     group to read, which stands for an access control list.
  public init(path: String, keyFile: String, isServiceCredential: Bool = false) {
    file = SecretFile(
      path: path, keyFile: keyFile, isServiceCredential: isServiceCredential)
  }

  /// An identity that is the same for every handle on the same file.
  public var identity: String { "encrypted-file:" + file.path }

  /// Reads a secret.
  public func secret(for key: SecretKey) async throws -> Secret? {
    try await BlockingWork.run {
      try file.read().first { $0.key == key }.map { Secret(Array($0.secret)) }
    }
  }

  /// Writes a new file and replaces the old one; it is durable when the call returns.
  public func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try await BlockingWork.run {
      try file.change { entries in
        entries.removeAll { $0.key == key }
        entries.append(
          .init(
            service: key.service, account: key.account, label: label,
            secret: .init(secret.exposedBytes)))
      }
    }
  }

  /// Removes a secret.
  public func removeSecret(for key: SecretKey) async throws -> Bool {
    try await BlockingWork.run {
      try file.change { entries in
        let count = entries.count
        entries.removeAll { $0.key == key }
        return entries.count < count
      }
    }
  }

  /// Renames the file if it is damaged.
  public func quarantineDamaged() async throws -> String? {
    try await BlockingWork.run { try file.quarantineDamaged() }
  }

  /// Does nothing: the key opens the file.
  public func unlock() async throws {}

  /// Checks that the key exists and opens the file.
  public func checkAvailability() async throws -> SecretStoreDescription {
    try await BlockingWork.run {
      _ = try file.read()
      return SecretStoreDescription(
        backend: "encrypted file", collection: file.path, isLocked: false)
    }
  }
}

/// The file of an ``EncryptedFileStore``; its calls block.
private final class SecretFile: Sendable {
  let path: String
  private let keyFile: String
  private let isServiceCredential: Bool
  /// Held by the one change of this process that may wait for other processes.
  private let changes = Mutex(())
  /// The last key, with its passphrase and parameters, because derivation is deliberately slow.
  private let cache = Mutex<
    (passphrase: Secret, from: SecretFileFormat.Derivation, key: Secret)?
  >(nil)

  /// The file itself, if the path is a link: its folder holds the lock, for every name of the file.
  private var target: String { AtomicFile.target(of: path) }

  init(path: String, keyFile: String, isServiceCredential: Bool) {
    self.path = path
    self.keyFile = keyFile
    self.isServiceCredential = isServiceCredential
  }

  func read() throws -> [SecretFileFormat.Entry] {
    let passphrase = try passphrase()
    guard let file = try contents() else { return [] }
    return try entries(of: file, try key(passphrase, file.scrypt))
  }

  /// Changes the entries, excluding all other processes.
  func change<Value: Sendable>(_ body: (inout [SecretFileFormat.Entry]) throws -> Value) throws
    -> Value
  {
    let passphrase = try passphrase()
    // Derivation of the key is slow, so it is done before the lock makes others wait.
    if let file = try contents() { _ = try key(passphrase, file.scrypt) }
    return try withLock { try changeLocked(passphrase, body) }
  }

  func quarantineDamaged() throws -> String? {
    guard try isDamaged() else { return nil }
    return try withLock { () throws -> String? in
      // Another process may have been faster.
      guard try isDamaged() else { return nil }
      let time = Date().formatted(.iso8601.timeSeparator(.omitted))
      let path = target
      let name = path + ".damaged-" + time
      var aside = name
      var number = 1
      while FileManager.default.fileExists(atPath: aside) {
        number += 1
        aside = "\(name)-\(number)"
      }
      guard unsafe rename(path, aside) == 0 else {
        throw SecretStoreError.failed(code: "cannot rename \(path)")
      }
      return aside
    }
  }

  private func isDamaged() throws -> Bool {
    do {
      // The first check needs no key.
      _ = try contents()
      _ = try read()
      return false
    } catch SecretStoreError.damaged {
      return true
    }
  }

  private func entries(
    of file: SecretFileFormat, _ key: Secret
  ) throws -> [SecretFileFormat.Entry] {
    do { return try file.entries(key: key) } catch { throw error.error(at: path) }
  }

  private func changeLocked<Value: Sendable>(
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
      throw SecretStoreError.failed(code: "cannot read \(path)")
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
        throw SecretStoreError.keyUnavailable(
          reason: "its key file \(keyFile) belongs to another user")
      case .unreadable, .unsuitable:
        throw SecretStoreError.keyUnavailable(reason: "cannot read its key file \(keyFile)")
      }
    }
    var passphrase = Array(bytes)
    while let last = passphrase.last, last == 0x0A || last == 0x0D { passphrase.removeLast() }
    guard passphrase.count >= 16 else {
      throw SecretStoreError.keyUnavailable(
        reason: "its key file \(keyFile) holds fewer than 16 bytes")
    }
    return Secret(passphrase)
  }

  private func key(
    _ passphrase: Secret, _ derivation: SecretFileFormat.Derivation
  ) throws -> Secret {
    // Held while the key is derived, so that concurrent calls derive it once.
    try cache.withLock { cache in
      if let cache, cache.passphrase == passphrase, cache.from == derivation { return cache.key }
      guard derivation.isReasonable else { throw SecretStoreError.damaged(path: path) }
      let key: Secret
      do {
        key = try derivation.key(from: passphrase)
      } catch {
        throw SecretStoreError.failed(code: "\(error)")
      }
      cache = (passphrase, derivation, key)
      return key
    }
  }

  private func withLock<Value: Sendable>(_ body: () throws -> Value) throws -> Value {
    try changes.withLock { _ in
      let lock = try lock()
      let result = Result { try body() }
      lock.release()
      return try result.get()
    }
  }

  /// Waits up to 10 s for another process; the thread may sleep.
  private func lock() throws -> FileLock {
    let path = target
    for _ in 0..<1_000 {
      do {
        if let lock = try FileLock.tryAcquire(at: path + ".lock") { return lock }
      } catch {
        throw SecretStoreError.failed(code: "cannot write the folder of \(path)")
      }
      usleep(10_000)
    }
    throw SecretStoreError.timedOut(
      operation: "waiting for another process to release \(path).lock")
  }

  private func replace(with data: Data) throws {
    do {
      try AtomicFile.replace(path, with: data, isDurable: true)
    } catch {
      throw SecretStoreError.failed(
        code: "cannot write \(path)" + (SystemErrorText.of(error).map { ": \($0)" } ?? ""))
    }
  }
}

extension SecretFileFormat.Entry {
  fileprivate var key: SecretKey { SecretKey(service: service, account: account) }
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
