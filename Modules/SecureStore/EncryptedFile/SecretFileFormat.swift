import Foundation
import SystemSupport

/// The file of an ``EncryptedFileStore``: all secrets in one AES-256-GCM box, whose key scrypt (RFC
/// 7914) derives from a passphrase and the file's own salt.
///
/// If a box does not open, GCM cannot distinguish a wrong key from changed bytes. A checksum over
/// the whole file, which needs no key, can. It is no protection against an attacker; it detects
/// damage by a disk, an editor or an incomplete copy.
struct SecretFileFormat: Codable {
  enum Failure: Error {
    case damaged
    case otherKey
    case newerVersion
  }

  struct Entry: Codable {
    var service: String
    var account: String
    var label: String
    var secret: Data
  }

  /// The cost of scrypt; 2^15 rounds take some 0.1 s and 32 MiB.
  struct Derivation: Codable, Hashable {
    var salt: Data
    var rounds = 1 << 15
    var blockSize = Scrypt.blockSize
    var parallelism = 1

    init() {
      var generator = SystemRandomNumberGenerator()
      salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// True if the cost is acceptable: a file must not decide how much memory and time its opening
    /// takes.
    var isReasonable: Bool {
      (1 << 10)...(1 << 20) ~= rounds && blockSize == Scrypt.blockSize && 1...16 ~= parallelism
        && salt.count >= 16
    }

    func key(from passphrase: Secret) throws(Gcrypt.Failure) -> Secret {
      Secret(
        try Scrypt.key(
          from: passphrase.exposedBytes, salt: salt, rounds: rounds, parallelism: parallelism,
          byteCount: 32))
    }
  }

  var version = 1
  var scrypt: Derivation
  /// The nonce, the ciphertext and the tag.
  var box: Data
  /// The checksum of all of the above.
  var checksum: Data

  init(_ entries: [Entry], _ derivation: Derivation, key: Secret) throws {
    scrypt = derivation
    box = try AESGCM.seal(
      try JSONEncoder().encode(entries), key: key.exposedBytes,
      authenticating: Self.header(derivation))
    checksum = Self.checksum(derivation, box)
  }

  /// - Throws: ``Failure/damaged``, ``Failure/newerVersion``.
  init(_ data: Data) throws(Failure) {
    struct Versioned: Decodable { let version: Int }
    guard let versioned = try? JSONDecoder().decode(Versioned.self, from: data) else {
      throw .damaged
    }
    guard versioned.version <= 1 else { throw .newerVersion }
    guard let file = try? JSONDecoder().decode(SecretFileFormat.self, from: data),
      file.version == 1,
      file.checksum == Self.checksum(file.scrypt, file.box)
    else { throw .damaged }
    self = file
  }

  func entries(key: Secret) throws(Failure) -> [Entry] {
    guard
      let plain = try? AESGCM.open(
        box, key: key.exposedBytes, authenticating: Self.header(scrypt))
    else { throw .otherKey }
    guard let entries = try? JSONDecoder().decode([Entry].self, from: plain) else {
      throw .damaged
    }
    return entries
  }

  private static func checksum(_ derivation: Derivation, _ box: Data) -> Data {
    Data(SHA256.hash(header(derivation) + Array(box)))
  }

  /// Returns the data that the tag protects in addition to the box, so that nobody can weaken the
  /// derivation.
  private static func header(_ derivation: Derivation) -> [UInt8] {
    Array(
      """
      appcore secrets 1 \(derivation.salt.base64EncodedString()) \(derivation.rounds) \
      \(derivation.blockSize) \(derivation.parallelism)
      """.utf8)
  }
}
