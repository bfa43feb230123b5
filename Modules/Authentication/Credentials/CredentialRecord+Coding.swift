import Foundation
import Networking
import SecureStore

/// The record as bytes: version 1 is JSON with the names of `RecordWire`.
extension CredentialRecord {
  /// The reason why stored bytes are not a record for this version.
  enum DecodingFailure: Error {
    case malformed
    case newerVersion(Int)
  }

  private static let version = 1

  init(_ secret: Secret) throws(DecodingFailure) {
    let data = Data((secret.exposedText ?? "").utf8)
    guard let versioned = try? JSONDecoder().decode(Versioned.self, from: data) else {
      throw .malformed
    }
    guard versioned.version == Self.version else { throw .newerVersion(versioned.version) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    guard let wire = try? decoder.decode(RecordWire.self, from: data), wire.isInRange,
      let content = wire.content
    else { throw .malformed }
    self.init(content: content, server: wire.server, clientID: wire.clientID, api: wire.api)
    pendingExchange = wire.pendingExchange
    refusals = wire.refusals
    endedMessage = wire.endedMessage
  }

  func encoded() throws -> Secret {
    var wire = RecordWire(
      version: Self.version, server: server, clientID: clientID, generation: generation.rawValue)
    wire.api = api
    wire.pendingExchange = pendingExchange
    wire.refusals = refusals
    wire.endedMessage = endedMessage
    switch content {
    case .ended(_, let date, let reason):
      wire.endedAt = date
      wire.endedBecause = reason
    case .active(let credential):
      wire.accessToken = credential.accessToken.exposedText
      wire.refreshToken = credential.refreshToken?.exposedText
      wire.expiresAt = credential.expiresAt
      wire.obtainedAt = credential.obtainedAt
      wire.scopes = credential.scopes
      wire.grant = credential.grant
      wire.login = credential.loginID
      wire.redirect = credential.redirect
      wire.organisation = credential.organisation
      wire.clockSkew = credential.clockSkew
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    return Secret(Array(try encoder.encode(wire)))
  }
}

private struct Versioned: Decodable {
  let version: Int
}

private struct RecordWire: Codable {
  var version: Int
  var server: String
  var clientID: String
  var api: String?
  var generation: UInt64
  var accessToken: String?
  var refreshToken: String?
  var expiresAt: Date?
  var obtainedAt: Date?
  var scopes: [String]?
  var grant: Credential.Grant?
  var login: String?
  var redirect: Credential.Redirect?
  var organisation: Credential.Organisation?
  var clockSkew: Double?
  var endedAt: Date?
  var endedBecause: AuthenticationError.SignInReason?
  var endedMessage: String?
  var pendingExchange: CredentialRecord.PendingExchange?
  var refusals: CredentialRecord.Refusals?

  /// True if dates and numbers are in a range in which arithmetic on them cannot overflow.
  var isInRange: Bool {
    let dates = [
      expiresAt, obtainedAt, endedAt, pendingExchange?.startedAt, pendingExchange?.lastSentAt,
      refusals?.lastAt,
    ]
    return dates.compactMap(\.self).allSatisfy(\.isInCalendar)
      && (clockSkew.map { abs($0) < 1e11 } ?? true)
      && generation < 1 << 62 && (0..<1 << 31).contains(refusals?.count ?? 0)
  }

  var content: CredentialRecord.Content? {
    let generation = CredentialGeneration(rawValue: generation)
    if let endedAt {
      return .ended(generation, at: endedAt, because: endedBecause ?? .rejected)
    }
    guard let accessToken, let grant else { return nil }
    var credential = Credential(
      TokenSet(
        accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) },
        expiresAt: expiresAt, scopes: scopes ?? []),
      obtainedAt: obtainedAt ?? .distantPast, grant: grant, generation: generation,
      loginID: login ?? "")
    credential.redirect = redirect
    credential.organisation = organisation
    credential.clockSkew = clockSkew
    return .active(credential)
  }
}

extension Date {
  /// True in the years 1 to 9999; no other date can be one of a token.
  var isInCalendar: Bool { (-62_135_769_600...253_402_300_799).contains(timeIntervalSince1970) }
}
