import CGcrypt
package import Foundation

/// The key derivation function scrypt (RFC 7914), with a block size of 8.
package enum Scrypt {
  /// The block size (RFC 7914 section 2): the only one that libgcrypt offers.
  package static let blockSize = 8

  /// Derives a key from a passphrase; slow by design, so it blocks.
  ///
  /// - Parameters:
  ///   - rounds: the cost, a power of two; each round takes 1 KiB of memory.
  ///   - parallelism: multiplies the time.
  ///   - byteCount: the length of the key.
  /// - Throws: `Gcrypt.Failure`, if memory lacks or a parameter is invalid.
  package static func key(
    from passphrase: some ContiguousBytes, salt: some ContiguousBytes, rounds: Int,
    parallelism: Int, byteCount: Int
  ) throws(Gcrypt.Failure) -> [UInt8] {
    Gcrypt.initialize()
    var code: gcry_error_t = 0
    let key = [UInt8](unsafeUninitializedCapacity: byteCount) { key, count in
      code = passphrase.withUnsafeBytes { passphrase in
        salt.withUnsafeBytes { salt in
          gcry_kdf_derive(
            passphrase.baseAddress, passphrase.count, Int32(GCRY_KDF_SCRYPT.rawValue),
            Int32(clamping: rounds), salt.baseAddress, salt.count, UInt(clamping: parallelism),
            byteCount, key.baseAddress)
        }
      }
      count = code == 0 ? byteCount : 0
    }
    try Gcrypt.check(code)
    return key
  }
}
