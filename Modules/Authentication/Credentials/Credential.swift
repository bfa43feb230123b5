import Foundation
import Networking
import SecureStore

/// The tokens of an account at one moment.
struct Credential: Sendable {
  /// How the tokens were first obtained, and so how they are renewed.
  enum Grant: String, Sendable, Codable {
    case authorizationCode = "authorization_code"
    case clientCredentials = "client_credentials"
  }

  let accessToken: Secret
  let refreshToken: Secret?
  let expiresAt: Date?
  let obtainedAt: Date
  let scopes: [String]
  let grant: Grant
  /// Grows with every renewal and every sign-in, in all processes together.
  let generation: CredentialGeneration

  /// Takes over what the server sent; what it left out stays as it was (RFC 6749 section 6).
  init(
    _ response: TokenResponse, after previous: CredentialGeneration?,
    keeping refreshToken: Secret?, scopes: [String], grant: Grant, now: Date
  ) {
    accessToken = response.accessToken
    self.refreshToken = response.refreshToken ?? refreshToken
    expiresAt = response.expiresAt
    obtainedAt = now
    self.scopes = response.scopes ?? scopes
    self.grant = grant
    // Counting goes on from the clock, so that a login that was removed and made again never
    // repeats a generation which another process still remembers.
    let clock = UInt64(max(0, now.timeIntervalSince1970 * 1_000))
    generation = CredentialGeneration(rawValue: max((previous?.rawValue ?? 0) + 1, clock))
  }

  init(
    accessToken: Secret, refreshToken: Secret?, expiresAt: Date?, obtainedAt: Date,
    scopes: [String], grant: Grant, generation: CredentialGeneration
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.obtainedAt = obtainedAt
    self.scopes = scopes
    self.grant = grant
    self.generation = generation
  }

  /// How long before its end a token is no longer sent: a tenth of its life, 30 s at the most, so
  /// that a short-lived token is not stale the moment it arrives.
  var margin: TimeInterval {
    expiresAt.map { min(30, max(0, $0.timeIntervalSince(obtainedAt) / 10)) } ?? 0
  }

  /// How long it may still be sent, seen from `now`; `nil` without a known end.
  func remaining(at now: Date) -> TimeInterval? {
    expiresAt.map { $0.timeIntervalSince(now) - margin }
  }

  /// Whether it may be sent at `now`.
  func isUsable(at now: Date) -> Bool {
    remaining(at: now).map { $0 > 0 } ?? true
  }
}
