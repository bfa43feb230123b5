import Foundation
import Networking
import Synchronization

/// The authorization server without its HTTP: clients, consent, codes and tokens.
final class GrantServer: Sendable {
  let publicClient: Client
  let machineClient: Client
  let machineSecret: String
  private let ledger: Mutex<GrantLedger>
  private let pending = Mutex<[String: PendingDecision]>([:])
  private let clock: SandboxClock

  /// - Parameters:
  ///   - kept: the logins before a restart.
  ///   - clock: the clock of the tokens.
  init(_ configuration: SandboxConfiguration, kept: KeptState? = nil, clock: SandboxClock) {
    self.clock = clock
    machineSecret = configuration.clientSecret ?? kept?.machineSecret ?? RandomToken.make()
    publicClient = Client(id: configuration.clientID, kind: .public)
    machineClient = Client(id: Client.machineID, kind: .confidential(secret: machineSecret))
    var ledger = GrantLedger(
      tokenLifetime: configuration.tokenLifetime, reuseGrace: configuration.reuseGrace,
      deviceInterval: configuration.deviceInterval)
    ledger.refreshNeedsRedirectURI = configuration.refreshNeedsRedirectURI
    if let kept { ledger.restore(kept, at: clock.now) }
    self.ledger = Mutex(ledger)
  }

  var authenticator: ClientAuthenticator {
    ClientAuthenticator(clients: [publicClient, machineClient])
  }

  /// The logins, to keep for a restart.
  var current: GrantLedger { ledger.withLock { $0 } }

  var counts: GrantLedger.Counts { ledger.withLock { $0.counts } }

  /// Returns the grant that a token descends from, counted from 0; `nil` if it is not accepted.
  func grantID(ofAccessToken token: String) -> Int? {
    ledger.withLock { ledger in
      ledger.accepts(accessToken: token, at: clock.now) ? ledger.accessTokens[token]?.grantID : nil
    }
  }

  /// Returns the scope of a token; `nil` if it is not accepted.
  func scope(ofAccessToken token: String) -> Scope? {
    ledger.withLock { ledger in
      guard ledger.accepts(accessToken: token, at: clock.now) else { return nil }
      return ledger.accessTokens[token].map { ledger.grants[$0.grantID].scope }
    }
  }

  func expireAccessTokens() {
    ledger.withLock { $0.expireAccessTokens() }
  }

  func setTokenLifetime(_ lifetime: Duration) {
    ledger.withLock { $0.tokenLifetime = lifetime }
  }

  enum PendingDecision: Sendable {
    case code(AuthorizationRequest)
    case device(userCode: String)
  }

  /// Stores a pending decision; returns the handle that the page carries.
  func keep(_ decision: PendingDecision) -> String {
    let handle = RandomToken.make()
    pending.withLock { $0[handle] = decision }
    return handle
  }

  /// Removes and returns a pending decision; a second call finds nothing.
  func take(_ handle: String) -> PendingDecision? {
    pending.withLock { $0.removeValue(forKey: handle) }
  }

  func approve(_ request: AuthorizationRequest) -> String {
    ledger.withLock { $0.issueCode(for: request, at: clock.now) }
  }

  /// Issues the codes for a device (RFC 8628 section 3.2).
  func issueDeviceCode(_ form: FormParameters, client: Client) throws(OAuthError) -> DeviceGrant {
    guard client.grants.contains(.deviceCode) else {
      throw OAuthError(.unauthorizedClient, "The client may not use this grant type.")
    }
    let scope = try Self.scope(of: form) ?? .standard
    return ledger.withLock { $0.issueDeviceCode(clientID: client.id, scope: scope, at: clock.now) }
  }

  func device(userCode: String) -> DeviceGrant? {
    ledger.withLock { $0.undecidedDevice(userCode: userCode, at: clock.now) }
  }

  func decide(userCode: String, isApproved: Bool) -> Bool {
    ledger.withLock { $0.decide(userCode: userCode, isApproved: isApproved, at: clock.now) }
  }

  func token(_ form: FormParameters, client: Client) throws(OAuthError) -> TokenReply {
    guard form.repeated.isEmpty else {
      throw OAuthError(.invalidRequest, "A parameter is repeated.")
    }
    guard let name = form["grant_type"] else {
      throw OAuthError(.invalidRequest, "grant_type is missing.")
    }
    guard let grant = GrantType(rawValue: name) else {
      throw OAuthError(.unsupportedGrantType, "The grant type is not supported.")
    }
    guard client.grants.contains(grant) else {
      throw OAuthError(.unauthorizedClient, "The client may not use this grant type.")
    }
    let scope = try Self.scope(of: form)
    // The time is read inside the lock: if two requests spend one token, the second is later.
    switch grant {
    case .authorizationCode:
      let code = try Self.required("code", in: form)
      let redirectURI = try Self.required("redirect_uri", in: form)
      let verifier = try Self.required("code_verifier", in: form)
      return try ledger.withLock { ledger throws(OAuthError) in
        try ledger.exchange(
          code: code, clientID: client.id, redirectURI: redirectURI, verifier: verifier,
          at: clock.now)
      }
    case .refreshToken:
      let token = try Self.required("refresh_token", in: form)
      return try ledger.withLock { ledger throws(OAuthError) in
        try ledger.refresh(
          token: token, clientID: client.id, scope: scope, redirectURI: form["redirect_uri"],
          at: clock.now)
      }
    case .deviceCode:
      let code = try Self.required("device_code", in: form)
      return try ledger.withLock { ledger throws(OAuthError) in
        try ledger.exchange(deviceCode: code, clientID: client.id, at: clock.now)
      }
    case .clientCredentials:
      return ledger.withLock {
        $0.issueMachineToken(clientID: client.id, scope: scope ?? .standard, at: clock.now)
      }
    }
  }

  func revoke(_ form: FormParameters, client: Client) throws(OAuthError) {
    let token = try Self.required("token", in: form)
    try ledger.withLock { ledger throws(OAuthError) in
      try ledger.revoke(token: token, clientID: client.id)
    }
  }

  private static func required(
    _ name: String, in form: FormParameters
  ) throws(OAuthError) -> String {
    guard let value = form[name] else { throw OAuthError(.invalidRequest, "\(name) is missing.") }
    return value
  }

  private static func scope(of form: FormParameters) throws(OAuthError) -> Scope? {
    guard let text = form["scope"] else { return nil }
    guard let scope = Scope(text) else {
      throw OAuthError(.invalidScope, "The scope is malformed.")
    }
    return scope
  }
}

/// An application that is registered with the authorization server.
struct Client: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A client without a secret; it uses the code flow with PKCE or a device code (RFC 6749
    /// section 2.1).
    case `public`
    /// A client with a secret; it uses the client credentials grant.
    case confidential(secret: String)
  }

  static let machineID = "sandbox-machine"

  let id: String
  let kind: Kind

  var grants: Set<GrantType> {
    switch kind {
    case .public: [.authorizationCode, .deviceCode, .refreshToken]
    case .confidential: [.clientCredentials]
    }
  }
}

/// A grant of the token endpoint, by its name on the wire.
enum GrantType: String, Sendable, CaseIterable {
  case authorizationCode = "authorization_code"
  case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  case refreshToken = "refresh_token"
  case clientCredentials = "client_credentials"
}

/// Identifies the client that sent a request to the token or revocation endpoint.
struct ClientAuthenticator: Sendable {
  /// A failure; `wantsChallenge` if the client tried HTTP Basic (RFC 6749 section 5.2).
  struct Failure: Error {
    var error: OAuthError
    var wantsChallenge: Bool
  }

  let clients: [Client]

  /// Authenticates by `client_secret_basic`, `client_secret_post` or, without a secret, by name.
  func client(authorization: String?, form: FormParameters) throws(Failure) -> Client {
    guard let authorization else {
      guard let id = form["client_id"] else {
        throw Failure(
          error: OAuthError(.invalidClient, "There are no client credentials."),
          wantsChallenge: false)
      }
      return try client(id: id, secret: form["client_secret"], wantsChallenge: false)
    }
    guard let (id, secret) = Self.basicCredentials(authorization) else {
      throw Failure(
        error: OAuthError(.invalidClient, "The Authorization header cannot be read."),
        wantsChallenge: true)
    }
    guard form["client_secret"] == nil, form["client_id"].map({ $0 == id }) ?? true else {
      throw Failure(
        error: OAuthError(.invalidRequest, "The client authenticates in two ways at once."),
        wantsChallenge: false)
    }
    return try client(id: id, secret: secret.isEmpty ? nil : secret, wantsChallenge: true)
  }

  private func client(
    id: String, secret: String?, wantsChallenge: Bool
  ) throws(Failure) -> Client {
    let failure = Failure(
      error: OAuthError(.invalidClient, "The client is unknown or its secret is wrong."),
      wantsChallenge: wantsChallenge)
    guard let client = clients.first(where: { $0.id == id }) else { throw failure }
    switch (client.kind, secret) {
    case (.public, nil): return client
    case (.confidential(let expected), let secret?) where secret == expected: return client
    default: throw failure
    }
  }

  /// Parses `Basic …`, whose parts are form-encoded before they are joined (RFC 6749, 2.3.1).
  private static func basicCredentials(_ header: String) -> (id: String, secret: String)? {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic",
      let data = Data(base64Encoded: String(words[1])),
      let text = String(validating: data, as: UTF8.self)
    else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let id = FormEncoding.unescape(parts[0]),
      let secret = FormEncoding.unescape(parts[1])
    else { return nil }
    return (id, secret)
  }
}
