import Synchronization

/// The authorization server without its HTTP: clients, consent, codes and tokens.
final class GrantServer: Sendable {
  let publicClient: Client
  let machineClient: Client
  let machineSecret: String
  private let ledger: Mutex<GrantLedger>
  private let pending = Mutex<[String: PendingDecision]>([:])
  private let clock = ContinuousClock()

  init(_ configuration: SandboxConfiguration) {
    machineSecret = configuration.clientSecret ?? RandomToken.make()
    publicClient = Client(id: configuration.clientID, kind: .public)
    machineClient = Client(id: Client.machineID, kind: .confidential(secret: machineSecret))
    var ledger = GrantLedger(
      tokenLifetime: configuration.tokenLifetime, reuseGrace: configuration.reuseGrace,
      deviceInterval: configuration.deviceInterval)
    ledger.refreshNeedsRedirectURI = configuration.refreshNeedsRedirectURI
    self.ledger = Mutex(ledger)
  }

  var authenticator: ClientAuthenticator {
    ClientAuthenticator(clients: [publicClient, machineClient])
  }

  var counts: GrantLedger.Counts { ledger.withLock { $0.counts } }

  func accepts(accessToken: String) -> Bool {
    ledger.withLock { $0.accepts(accessToken: accessToken, at: clock.now) }
  }

  func expireAccessTokens() {
    ledger.withLock { $0.expireAccessTokens() }
  }

  func setTokenLifetime(_ lifetime: Duration) {
    ledger.withLock { $0.tokenLifetime = lifetime }
  }

  /// A decision that the user has to make.
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

  /// Approves a request; returns its code.
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

  /// Returns the undecided device with a user code.
  func device(userCode: String) -> DeviceGrant? {
    ledger.withLock { $0.undecidedDevice(userCode: userCode, at: clock.now) }
  }

  /// Applies the user's decision about a device; `false` if there is nothing to decide.
  func decide(userCode: String, isApproved: Bool) -> Bool {
    ledger.withLock { $0.decide(userCode: userCode, isApproved: isApproved, at: clock.now) }
  }

  /// Handles a request at the token endpoint.
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

  /// Handles a request at the revocation endpoint.
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
