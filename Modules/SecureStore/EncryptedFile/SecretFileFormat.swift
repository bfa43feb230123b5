import Crypto
import CryptoExtras
import Foundation

/// The file of an ``EncryptedFileStore``: all secrets in one box of AES-256-GCM, its key derived by
/// scrypt (RFC 7914) from a passphrase and the file's own salt.
struct SecretFileFormat: Codable {
  struct Entry: Codable {
    var service: String
    var account: String
    var label: String
    var secret: Data
  }

  /// What scrypt costs; 2^15 rounds take some 0.1 s and 32 MiB.
  struct Derivation: Codable, Hashable {
    var salt: Data
    var rounds = 1 << 15
    var blockSize = 8
    var parallelism = 1

    init() {
      var generator = SystemRandomNumberGenerator()
      salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    func key(from passphrase: Secret) throws -> SymmetricKey {
      // A file is not trusted to say how much memory and time its opening takes.
      guard (1 << 10)...(1 << 20) ~= rounds, 1...32 ~= blockSize, 1...16 ~= parallelism,
        salt.count >= 16
      else { throw SecretStoreError.undecipherable }
      return try KDF.Scrypt.deriveKey(
        from: passphrase.exposedBytes, salt: salt, outputByteCount: 32, rounds: rounds,
        blockSize: blockSize, parallelism: parallelism)
    }
  }

  var version = 1
  var scrypt: Derivation
  /// Nonce, ciphertext and tag.
  var box: Data

  init(_ entries: [Entry], _ derivation: Derivation, key: SymmetricKey) throws {
    scrypt = derivation
    let sealed = try AES.GCM.seal(
      try JSONEncoder().encode(entries), using: key, authenticating: Self.header(derivation))
    box = sealed.combined ?? Data()
  }

  /// Reads a file.
  ///
  /// - Throws: ``SecretStoreError/undecipherable``, also for a version that is not known.
  init(_ data: Data) throws {
    guard let file = try? JSONDecoder().decode(SecretFileFormat.self, from: data),
      file.version == 1
    else { throw SecretStoreError.undecipherable }
    self = file
  }

  func entries(key: SymmetricKey) throws -> [Entry] {
    guard let sealed = try? AES.GCM.SealedBox(combined: box),
      let plain = try? AES.GCM.open(sealed, using: key, authenticating: Self.header(scrypt)),
      let entries = try? JSONDecoder().decode([Entry].self, from: plain)
    else { throw SecretStoreError.undecipherable }
    return entries
  }

  /// What the tag protects beside the box, so that nobody can weaken the derivation.
  private static func header(_ derivation: Derivation) -> Data {
    Data(
      """
      appcore secrets 1 \(derivation.salt.base64EncodedString()) \(derivation.rounds) \
      \(derivation.blockSize) \(derivation.parallelism)
      """.utf8)
  }
}
