import CGcrypt
import Foundation

/// A digest of bytes that come in pieces.
package final class Digest {
  /// The hash functions.
  package enum Function {
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// MD5 (RFC 1321), which servers state of files; it is no proof against a forger.
    case md5

    fileprivate var number: Int32 {
      switch self {
      case .sha256: Int32(GCRY_MD_SHA256.rawValue)
      case .md5: Int32(GCRY_MD_MD5.rawValue)
      }
    }
  }

  private let function: Function
  private let handle: gcry_md_hd_t

  /// Creates the digest of nothing.
  ///
  /// - Throws: `Gcrypt.Failure` if the library does not offer the function, as MD5 under FIPS.
  package init(_ function: Function) throws {
    Gcrypt.initialize()
    var handle: gcry_md_hd_t?
    try Gcrypt.check(gcry_md_open(&handle, function.number, 0))
    guard let handle else { throw POSIXError(.ENOMEM) }
    (self.function, self.handle) = (function, handle)
  }

  deinit { gcry_md_close(handle) }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    gcry_md_write(handle, bytes.baseAddress, bytes.count)
  }

  /// Returns the digest as hexadecimal digits; nothing can be added afterwards.
  package func finish() -> String {
    let length = Int(gcry_md_get_algo_dlen(function.number))
    guard let bytes = gcry_md_read(handle, function.number) else { return "" }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: length)).hexadecimal
  }
}
