import Crypto

/// A hash that is the same in every process and version, unlike Swift's own.
enum StableHash {
  /// Returns the first 64 bits of SHA-256.
  ///
  /// Among a billion changes, one is overlooked with a probability of one in twenty billion.
  static func value(of bytes: [UInt8], in range: Range<Int>) -> Int64 {
    var hash = SHA256()
    bytes.withUnsafeBytes {
      hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
    return hash.finalize().withUnsafeBytes {
      Int64(littleEndian: $0.loadUnaligned(as: Int64.self))
    }
  }
}
