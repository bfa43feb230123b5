import Foundation
import SecureStore

/// A successful answer of the token endpoint (RFC 6749 section 5.1).
struct TokenResponse: Sendable {
  let accessToken: Secret
  /// Absent where the server does not rotate: then the old one stays valid (section 6).
  let refreshToken: Secret?
  /// When the access token ends; `nil` where the server does not say.
  let expiresAt: Date?
  let scopes: [String]?

  /// Reads the answer, or `nil` where it is none.
  ///
  /// Lenient where servers are known to differ: `expires_in` as text, or `expires_at` in its place.
  init?(body: [UInt8], receivedAt: Date) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(body)),
      !wire.accessToken.isEmpty, Self.canBeHeaderValue(wire.accessToken),
      wire.tokenType.map({ $0.lowercased() == "bearer" }) ?? true
    else { return nil }
    accessToken = Secret(wire.accessToken)
    refreshToken = wire.refreshToken.flatMap { $0.isEmpty ? nil : Secret($0) }
    scopes = wire.scope.map { $0.split(separator: " ").map(String.init) }
    expiresAt =
      wire.expiresIn?.seconds.map { receivedAt.addingTimeInterval($0) }
      ?? wire.expiresAt?.instant
  }

  /// RFC 6750 section 2.1: a bearer token is visible ASCII; anything else would not survive, or
  /// would split, a header.
  private static func canBeHeaderValue(_ token: String) -> Bool {
    token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
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

/// A number that some servers write as text.
private enum NumberOrText: Decodable {
  case number(Double)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text((try? container.decode(String.self)) ?? "")
    }
  }

  /// A lifetime; absurd ones are cut so that dates stay in range.
  var seconds: Double? {
    let value =
      switch self {
      case .number(let number): number
      case .text(let text): Double(text) ?? .nan
      }
    return value.isFinite ? min(max(value, 0), 10 * 366 * 86_400) : nil
  }

  /// An instant: seconds since 1970, or RFC 3339.
  var instant: Date? {
    switch self {
    case .number(let number) where number.isFinite && number >= 0 && number < 1e11:
      Date(timeIntervalSince1970: number)
    case .text(let text):
      try? Date(text, strategy: .iso8601)
    default: nil
    }
  }
}
