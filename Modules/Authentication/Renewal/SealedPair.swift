import Foundation
import Glibc
import SecureStore
import SystemSupport

/// The file beside the lock that holds a renewed pair until the store has it.
///
/// Once the server has answered, the old refresh token is spent, and the store may be locked, full
/// or gone by then, or the process may be killed. So the pair is first written here, sealed with
/// AES-256-GCM. The key is in the journal entry, which only the store holds: without the store, the
/// file is useless.
///
/// Only the holder of the lock writes the file. Its calls block.
struct SealedPair: Sendable {
  private let account: String
  private let path: String

  init(account: String, folder: String) {
    self.account = account
    path = folder + "/auth-" + account + ".sealed"
  }

  /// Reserves space before the token is spent, so that a disk that fills up meanwhile costs no
  /// pair.
  ///
  /// - Parameter size: the size of the record, in bytes; a new pair may be larger.
  func reserve(_ size: Int) {
    guard let descriptor = try? open() else { return }
    defer { close(descriptor) }
    // Whatever an earlier exchange has left is stored by now, or cannot be opened any more.
    ftruncate(descriptor, 0)
    posix_fallocate(descriptor, 0, off_t(2 * size + 8_192))
  }

  /// Writes the pair; it is durable when the call returns.
  ///
  /// - Throws: `POSIXError`, `Gcrypt.Failure`.
  func write(_ record: Secret, _ key: SealingKey) throws {
    let sealed = try AESGCM.seal(
      record.exposedBytes, key: key.secret.exposedBytes, authenticating: authenticated)
    let length = UInt32(sealed.count)
    // In place, since a replacement would need space that the disk may not have. A torn write does
    // not open.
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + sealed
    let descriptor = try open()
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
      }
      if count > 0 { offset += count } else if errno != EINTR { throw POSIXError.current }
    }
    guard fsync(descriptor) == 0 else { throw POSIXError.current }
  }

  /// Returns the pair's record; `nil` if there is none that the key opens.
  func record(_ key: SealingKey) -> CredentialRecord? {
    guard let bytes = KernelFile.bytes(at: path), bytes.count > 4 else { return nil }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    guard length <= bytes.count - 4,
      let plain = try? AESGCM.open(
        bytes[4..<(4 + length)], key: key.secret.exposedBytes, authenticating: authenticated)
    else { return nil }
    return try? CredentialRecord(Secret(Array(plain)))
  }

  /// Removes the file; one that stays opens with no later key.
  func remove() {
    unlink(path)
  }

  private var authenticated: [UInt8] { Array("appcore renewed login 1 \(account)".utf8) }

  private func open() throws -> CInt {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    return descriptor
  }
}

/// The key of a ``SealedPair``, which is stored with the journal entry and never printed.
struct SealingKey: Sendable, Equatable, Codable {
  fileprivate let secret: Secret

  init() {
    secret = Secret(RandomBytes.make(32))
  }

  init(from decoder: any Decoder) throws {
    secret = Secret(Array(try decoder.singleValueContainer().decode(Data.self)))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(secret.exposedBytes))
  }
}

struct PairSeal: Sendable {
  /// The key in the journal entry of the pair's exchange; without one, the pair cannot be sealed.
  let key: SealingKey?
  /// True once the sealed file holds the pair, which then outlives the process.
  var isWritten = false
}

extension LoginStore {
  func seal(_ credential: Credential, _ seal: PairSeal) async -> PairSeal {
    guard !seal.isWritten, let key = seal.key,
      let record = try? CredentialRecord(.active(credential), of: account).encoded()
    else { return seal }
    var written = seal
    written.isWritten = await BlockingWork.run { [sealed] in
      (try? sealed.write(record, key)) != nil
    }
    return written
  }

  func recordWithSealedPair() async throws -> CredentialRecord? {
    var record = try await record()
    if let pair = sealedPair(of: record) {
      record?.content = .active(pair)
      record?.pendingExchange = nil
    }
    return record
  }

  func sealedPair(of record: CredentialRecord?) -> Credential? {
    guard let record, let stored = record.credential, let key = record.pendingExchange?.key,
      let found = sealed.record(key), found.belongs(to: account), let pair = found.credential,
      pair.isNewer(than: stored)
    else { return nil }
    return pair
  }
}
