import HTTPTypes
package import Networking

/// A refusal as an authorization server wrote it (RFC 6749 section 5.2), whatever its status and
/// its form.
///
/// Servers write the code as the text `error`, as a number, inside an object, or in a form, and
/// some answer with status 200.
package struct ServerRefusal: Sendable, Equatable {
  /// The HTTP status.
  package let status: Int
  /// The code; `nil` if the response has none.
  package let code: String?
  /// The server's own words.
  package let message: ProviderMessage?
  /// True if the code has the form of OAuth's: the response comes from an authorization server, not
  /// from a proxy, whose codes are numbers or sentences.
  package let isOAuth: Bool
  /// True if the body is empty, or JSON without a code.
  let isBare: Bool

  init(_ response: Response) {
    status = response.head.status.code
    message = response.providerMessage
    let members = response.body.isEmpty ? nil : JSONMembers(response.body)
    let found = members?.errorCode
    code = found.map(Self.printable).flatMap { $0.isEmpty ? nil : $0 }
    isOAuth =
      found.map { $0.utf8.contains { $0 >= 0x41 } && $0.utf8.allSatisfy(Self.isOfWord) } ?? false
    isBare = response.body.isEmpty || members != nil && code == nil
  }

  /// Removes characters that RFC 6749 does not allow in a code, since codes are shown to the user.
  static func printable(_ code: String) -> String {
    String(
      code.unicodeScalars.lazy.filter { (0x21...0x7E).contains($0.value) }.prefix(64)
        .map(Character.init))
  }

  /// Returns a server's name for itself as it is shown to the user.
  static func shown(_ issuer: String) -> String {
    String(
      issuer.unicodeScalars.lazy.filter { (0x21...0x7E).contains($0.value) }.prefix(200)
        .map(Character.init))
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

extension JSONMembers {
  /// The code of an error: the text or the number `error`, or the code inside the object `error`.
  fileprivate var errorCode: String? {
    if let code = textOrNumber("error") { return code }
    guard let inner = object("error") else { return textOrNumber("error_code") }
    return inner.text("code") ?? inner.text("error") ?? inner.text("type") ?? inner.text("status")
      ?? inner.textOrNumber("code")
  }
}
