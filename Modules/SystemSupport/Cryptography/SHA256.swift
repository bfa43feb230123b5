import CGcrypt
package import Foundation

/// The hash function SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// Returns the 32 bytes of the digest.
  package static func hash(_ data: some ContiguousBytes) -> [UInt8] {
    Gcrypt.initialize()
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      data.withUnsafeBytes {
        gcry_md_hash_buffer(
          Int32(GCRY_MD_SHA256.rawValue), digest.baseAddress, $0.baseAddress, $0.count)
      }
      count = 32
    }
  }
}
