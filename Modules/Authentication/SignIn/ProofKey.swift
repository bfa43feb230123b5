import Foundation
import SecureStore
import SystemSupport

/// A proof key for code exchange with the method `S256` (RFC 7636).
struct ProofKey: Sendable {
  /// 32 random bytes in base64url: 43 characters (section 4.1).
  let verifier: Secret
  /// The SHA-256 of the verifier in base64url (section 4.2).
  let challenge: String

  init() {
    self.init(verifier: RandomText.base64URL(byteCount: 32))
  }

  init(verifier: String) {
    self.verifier = Secret(verifier)
    challenge = RandomText.base64URL(Data(SHA256.hash(Data(verifier.utf8))))
  }
}

/// Text that cannot be guessed, from the system's cryptographic random source.
enum RandomText {
  static func base64URL(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return base64URL(
      Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
  }

  /// Encodes data in base64url without padding (RFC 4648 section 5).
  static func base64URL(_ data: Data) -> String {
    data.base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
