import Foundation
import Networking
import SecureStore
import SystemSupport

/// The record that the keyring holds for an account.
struct CredentialRecord: Sendable {
  enum Content: Sendable {
    case active(Credential)
    /// The login with this generation has ended.
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
    /// The process that began the exchange.
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
    /// The server's words at the last one.
    var message: String?
  }

  var content: Content
  /// The authorization server that issued the tokens; they are sent to no other one.
  let server: String
  let clientID: String
  /// The origin of the API that the tokens are for.
  let api: String?
  var pendingExchange: PendingExchange?
  var refusals: Refusals?
  /// The words with which the server ended the login.
  var endedMessage: String?

  /// The server's words at its last refusal.
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

  /// The credential; `nil` if the login has ended.
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
