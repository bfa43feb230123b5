package import Foundation
package import SecureStore

/// A successful answer of the token endpoint (RFC 6749 section 5.1).
package struct TokenResponse: Sendable {
  let accessToken: Secret
  /// Absent where the server does not rotate: then the old one stays valid (section 6).
  package let refreshToken: Secret?
  /// When the access token ends; `nil` where the server does not say.
  package let expiresAt: Date?
  /// What it is good for; `nil` where the server does not say.
  package let scopes: [String]?
  /// How far the server's clock is ahead of ours, in seconds; `nil` where it did not tell.
  let clockSkew: TimeInterval?

  /// Reads the answer, or `nil` where it is none.
  ///
  /// Lenient where servers are known to differ: `expires_in` as text, or `expires_at` in its place.
  package init?(body: [UInt8], receivedAt: Date, clockSkew: TimeInterval? = nil) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(body)),
      Self.canBeHeaderValue(Secret(wire.accessToken)),
      wire.tokenType.map({ $0.lowercased() == "bearer" }) ?? true
    else { return nil }
    accessToken = Secret(wire.accessToken)
    refreshToken = wire.refreshToken.flatMap { $0.isEmpty ? nil : Secret($0) }
    scopes = wire.scope.map { $0.split(separator: " ").map(String.init) }
    self.clockSkew = clockSkew
    // A span is the same on every clock; an instant is meant on the server's.
    expiresAt =
      wire.expiresIn?.seconds.map { receivedAt.addingTimeInterval($0) }
      ?? wire.expiresAt?.instant.map { $0.addingTimeInterval(-(clockSkew ?? 0)) }
  }

  /// RFC 6750 section 2.1: a bearer token is visible ASCII; anything else would not survive, or
  /// would split, a header.
  static func canBeHeaderValue(_ token: Secret) -> Bool {
    let bytes = token.exposedBytes
    return !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private struct Wire: Decodable {
    let accessToken: String
    let tokenType: String?
    let refreshToken: String?
    let scope: String?
    let expiresIn: NumberOrText?
    let expiresAt: NumberOrText?

    private enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case tokenType = "token_type"
      case refreshToken = "refresh_token"
      case scope
      case expiresIn = "expires_in"
      case expiresAt = "expires_at"
    }
  }
}
