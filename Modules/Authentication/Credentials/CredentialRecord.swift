import Crypto
import Foundation
import Networking
import SecureStore
import SystemSupport

/// What the keyring holds for an account.
struct CredentialRecord: Sendable {
  enum Content: Sendable {
    case active(Credential)
    /// The login is over; the generation tells which one.
    case ended(CredentialGeneration, at: Date, because: AuthenticationError.SignInReason)
  }

  /// A refresh token that was about to be spent: the journal of an exchange.
  ///
  /// It is written before the exchange and gone with its result. Where it is found, the exchange may
  /// or may not have reached the server.
  struct PendingExchange: Sendable, Codable, Equatable {
    /// The SHA-256 of the refresh token, in hexadecimal.
    let hash: String
    /// When it was first sent; the server's grace is counted from here.
    let startedAt: Date
    /// When it was last sent; a request may be on its way for a while from here.
    let lastSentAt: Date
    /// The process that began it.
    let process: ProcessIdentity
    /// Whether the server has answered, though not in a way that tells what became of the token: then
    /// no request is under way any more.
    var isAnswered: Bool?

    init(
      _ refreshToken: Secret, at date: Date, firstAt: Date? = nil,
      process: ProcessIdentity = .current
    ) {
      hash = Self.hash(of: refreshToken)
      startedAt = firstAt ?? date
      lastSentAt = date
      self.process = process
    }

    func isAbout(_ refreshToken: Secret) -> Bool { hash == Self.hash(of: refreshToken) }

    private static func hash(of token: Secret) -> String {
      SHA256.hash(data: Data(token.exposedBytes)).hexadecimal
    }
  }

  /// Refusals of the server that said nothing of their reason.
  struct Refusals: Sendable, Codable, Equatable {
    var count: Int
    var lastAt: Date
  }

  var content: Content
  /// Whom the tokens may be shown to; a login is never taken to another server, client or API.
  let server: String
  let clientID: String
  let api: String?
  var pendingExchange: PendingExchange?
  var refusals: Refusals?

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

  var generation: CredentialGeneration {
    switch content {
    case .active(let credential): credential.generation
    case .ended(let generation, _, _): generation
    }
  }

  /// Whether it was made with this account's server and client, and for its API.
  func belongs(to account: Account) -> Bool {
    isIssued(to: account) && api == account.apiOrigin?.description
  }

  /// Whether it was made with this account's server and client, so that the server may be told of it.
  func isIssued(to account: Account) -> Bool {
    server == account.server.identity && clientID == account.client.id
  }
}
