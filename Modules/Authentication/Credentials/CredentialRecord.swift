import Foundation
import Networking
import SecureStore
import SystemSupport

/// The record that the keyring holds for an account.
struct CredentialRecord: Sendable {
  enum Content: Sendable {
    case active(Credential)
    case ended(CredentialGeneration, at: Date, because: AuthenticationError.SignInReason)
  }

  /// The journal entry of an exchange, with the refresh token that is about to be spent.
  ///
  /// It is stored before the exchange and removed with the result. A renewal that finds an entry
  /// cannot know if the exchange reached the server.
  struct PendingExchange: Sendable, Codable, Equatable {
    /// The SHA-256 of the refresh token, in hexadecimal.
    let hash: String
    /// The time of the first request; the server's grace counts from here.
    let startedAt: Date
    /// The time of the last request, which may still be on its way.
    let lastSentAt: Date
    let process: ProcessIdentity
    /// True once the server has answered without showing if the token is spent; no request is then
    /// in progress.
    var isAnswered: Bool?
    /// The key of the file that holds the new pair until it is stored; `nil` in an entry of an
    /// earlier version.
    let key: SealingKey?

    init(
      _ refreshToken: Secret, at date: Date, firstAt: Date? = nil, key: SealingKey? = SealingKey(),
      process: ProcessIdentity = .current
    ) {
      hash = Self.hash(of: refreshToken)
      startedAt = firstAt ?? date
      lastSentAt = date
      self.process = process
      self.key = key
    }

    func isAbout(_ refreshToken: Secret) -> Bool { hash == Self.hash(of: refreshToken) }

    private static func hash(of token: Secret) -> String {
      SHA256.hash(token.exposedBytes).hexadecimal
    }
  }

  /// The server's consecutive refusals without a known reason.
  struct Refusals: Sendable, Codable, Equatable {
    var count: Int
    var lastAt: Date
    var message: String?
  }

  var content: Content
  /// The authorization server that issued the tokens; they are sent to no other one.
  let server: String
  let clientID: String
  let api: String?
  var pendingExchange: PendingExchange?
  var refusals: Refusals?
  /// The words with which the server ended the login.
  var endedMessage: String?

  var message: ProviderMessage? {
    (endedMessage ?? refusals?.message).flatMap { ProviderMessage($0) }
  }

  init(_ content: Content, of account: Account) {
    self.content = content
    server = account.server.identity
    clientID = account.client.id
    api = account.apiOrigin?.description
  }

  init(content: Content, server: String, clientID: String, api: String?) {
    self.content = content
    self.server = server
    self.clientID = clientID
    self.api = api
  }

  var credential: Credential? {
    if case .active(let credential) = content { credential } else { nil }
  }

  var generation: CredentialGeneration {
    switch content {
    case .active(let credential): credential.generation
    case .ended(let generation, _, _): generation
    }
  }

  /// Returns true if the login was made with this account's server and client, for its API.
  func belongs(to account: Account) -> Bool {
    isIssued(to: account) && api == account.apiOrigin?.description
  }

  /// Returns true if the login was made with this account's server and client, so that its tokens
  /// may be revoked there.
  func isIssued(to account: Account) -> Bool {
    account.server.isIdentified(by: server) && clientID == account.client.id
  }
}

/// The record as bytes: version 1 is JSON with the names of `RecordWire`.
extension CredentialRecord {
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
