import Foundation
import Networking
import SecureStore

/// What the keyring holds for an account.
struct CredentialRecord: Sendable {
  enum Content: Sendable {
    case active(Credential)
    /// The server ended the login; the generation tells which one.
    case ended(CredentialGeneration, at: Date)
  }

  let content: Content
  /// Whom the tokens may be shown to; a login is never taken to another server or client.
  let server: String
  let clientID: String

  var generation: CredentialGeneration {
    switch content {
    case .active(let credential): credential.generation
    case .ended(let generation, _): generation
    }
  }

  /// Why stored bytes are no record that this version can use.
  enum DecodingFailure: Error {
    case malformed
    case newerVersion(Int)
  }

  /// Version 1 is JSON with the names below.
  static let version = 1

  init(content: Content, server: String, clientID: String) {
    self.content = content
    self.server = server
    self.clientID = clientID
  }

  init(_ secret: Secret) throws(DecodingFailure) {
    let data = Data((secret.exposedText ?? "").utf8)
    struct Versioned: Decodable { let version: Int }
    guard let versioned = try? JSONDecoder().decode(Versioned.self, from: data) else {
      throw .malformed
    }
    guard versioned.version == Self.version else { throw .newerVersion(versioned.version) }
    guard let wire = try? JSONDecoder().decode(Wire.self, from: data) else { throw .malformed }
    let generation = CredentialGeneration(rawValue: wire.generation)
    server = wire.server
    clientID = wire.clientID
    if let endedAt = wire.endedAt {
      content = .ended(generation, at: Date(timeIntervalSince1970: endedAt))
    } else if let accessToken = wire.accessToken, let grant = wire.grant {
      content = .active(
        Credential(
          accessToken: Secret(accessToken),
          refreshToken: wire.refreshToken.map { Secret($0) },
          expiresAt: wire.expiresAt.map { Date(timeIntervalSince1970: $0) },
          obtainedAt: Date(timeIntervalSince1970: wire.obtainedAt ?? 0),
          scopes: wire.scopes ?? [],
          grant: grant,
          generation: generation))
    } else {
      throw .malformed
    }
  }

  func encoded() throws -> Secret {
    var wire = Wire(
      version: Self.version, server: server, clientID: clientID,
      generation: generation.rawValue)
    switch content {
    case .ended(_, let date):
      wire.endedAt = date.timeIntervalSince1970
    case .active(let credential):
      wire.accessToken = credential.accessToken.exposedText
      wire.refreshToken = credential.refreshToken?.exposedText
      wire.expiresAt = credential.expiresAt?.timeIntervalSince1970
      wire.obtainedAt = credential.obtainedAt.timeIntervalSince1970
      wire.scopes = credential.scopes
      wire.grant = credential.grant
    }
    return Secret(Array(try JSONEncoder().encode(wire)))
  }

  private struct Wire: Codable {
    var version: Int
    var server: String
    var clientID: String
    var generation: UInt64
    var accessToken: String?
    var refreshToken: String?
    var expiresAt: Double?
    var obtainedAt: Double?
    var scopes: [String]?
    var grant: Credential.Grant?
    var endedAt: Double?
  }
}
