import CGcrypt

/// The system's cryptographic library, libgcrypt.
package enum Gcrypt {
  /// A refusal by libgcrypt; only a lack of memory is expected.
  package struct Failure: Error, CustomStringConvertible {
    let code: gcry_error_t

    package var description: String {
      "libgcrypt: " + (gcry_strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
  }

  private static let initialization: Void = appcore_initialize_gcrypt()

  /// Initializes the library, once in a process; call it before libsecret's first function, which
  /// otherwise initializes the library in its own way.
  package static func initialize() { initialization }

  static func check(_ code: gcry_error_t) throws(Failure) {
    guard code == 0 else { throw Failure(code: code) }
  }
}
