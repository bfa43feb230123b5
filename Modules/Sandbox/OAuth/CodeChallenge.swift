import SystemSupport

/// Proof Key for Code Exchange with the method S256 (RFC 7636).
enum CodeChallenge {
  /// Returns true if a text can be a challenge or a verifier: 43 to 128 unreserved characters.
  static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }

  /// Returns the challenge of a verifier: base64url of its SHA-256.
  static func challenge(for verifier: String) -> String {
    RandomToken.base64URL(SHA256.hash(Array(verifier.utf8)))
  }
}
