import CGcrypt
package import Foundation

/// Authenticated encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D).
package enum AESGCM {
  private static let nonceSize = 12
  private static let tagSize = 16

  /// Encrypts data with a random nonce.
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - header: data that the tag protects as well; it is not part of the result.
  /// - Returns: the nonce of 12 bytes, the ciphertext, and the tag of 16 bytes.
  package static func seal(
    _ plain: some Collection<UInt8>, key: [UInt8], authenticating header: [UInt8]
  ) throws(Gcrypt.Failure) -> Data {
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<nonceSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let cipher = try Cipher(key: key, nonce: nonce, header: header)
    var text = Array(plain)
    var tag = [UInt8](repeating: 0, count: tagSize)
    try Gcrypt.check(gcry_cipher_encrypt(cipher.handle, &text, text.count, nil, 0))
    try Gcrypt.check(gcry_cipher_gettag(cipher.handle, &tag, tag.count))
    return Data(nonce + text + tag)
  }

  /// Decrypts the result of ``seal(_:key:authenticating:)``.
  ///
  /// - Returns: `nil` if the key is another one, or a byte of the box or the header was changed.
  package static func open(
    _ box: some Collection<UInt8>, key: [UInt8], authenticating header: [UInt8]
  ) throws(Gcrypt.Failure) -> Data? {
    guard box.count >= nonceSize + tagSize else { return nil }
    let cipher = try Cipher(key: key, nonce: Array(box.prefix(nonceSize)), header: header)
    var text = Array(box.dropFirst(nonceSize).dropLast(tagSize))
    let tag = Array(box.suffix(tagSize))
    try Gcrypt.check(gcry_cipher_decrypt(cipher.handle, &text, text.count, nil, 0))
    return gcry_cipher_checktag(cipher.handle, tag, tag.count) == 0 ? Data(text) : nil
  }

  private final class Cipher {
    private(set) var handle: gcry_cipher_hd_t?

    init(key: [UInt8], nonce: [UInt8], header: [UInt8]) throws(Gcrypt.Failure) {
      Gcrypt.initialize()
      try Gcrypt.check(
        gcry_cipher_open(
          &handle, Int32(GCRY_CIPHER_AES256.rawValue), Int32(GCRY_CIPHER_MODE_GCM.rawValue), 0))
      try Gcrypt.check(gcry_cipher_setkey(handle, key, key.count))
      try Gcrypt.check(gcry_cipher_setiv(handle, nonce, nonce.count))
      try Gcrypt.check(gcry_cipher_authenticate(handle, header, header.count))
    }

    deinit { gcry_cipher_close(handle) }
  }
}
