import Foundation
import Networking
import SecureStore
import SystemSupport

/// The authorization code grant with PKCE, over a loopback redirect (RFC 8252) or a page whose
/// address the user pastes.
struct AuthorizationCodeFlow: Sendable {
  let account: Account
  let endpoint: TokenEndpoint
  let delegate: any AuthenticationDelegate
  let timeout: Duration
  let time: TimeSource
  /// The longest wait for a delegate that was cancelled.
  static let patience = Duration.seconds(5)

  func run() async throws -> (tokens: TokenResponse, redirect: Credential.Redirect) {
    let state = RandomBytes.make(32).base64URL
    let proofKey = ProofKey()
    let listener: LoopbackListener
    switch account.client.redirect {
    case .page(let uri):
      let receiver = CallbackReceiver(path: "", state: Secret(state), isPage: true)
      return try await exchange(receiver, uri, isPage: true, state: state, proofKey: proofKey)
    case .loopback(let host, let port):
      do {
        listener = try await LoopbackListener.start(host: host, port: port, state: Secret(state))
      } catch {
        throw failure(.listenerUnavailable)
      }
    }
    do {
      let tokens = try await exchange(
        listener.receiver, listener.redirectURI, isPage: false, state: state, proofKey: proofKey)
      await listener.stop()
      return tokens
    } catch {
      await listener.stop()
      throw error
    }
  }

  private func exchange(
    _ receiver: CallbackReceiver, _ redirectURI: String, isPage: Bool, state: String,
    proofKey: ProofKey
  ) async throws -> (tokens: TokenResponse, redirect: Credential.Redirect) {
    guard let url = authorizationURL(redirectURI, state: state, proofKey: proofKey) else {
      throw AuthenticationError.misconfigured(
        account: account.name, reason: "its authorizationURL is not a valid URL")
    }
    try await delegate.showAuthorizationPage(url)
    guard let callback = try await callback(receiver, isPage: isPage) else {
      throw failure(.timedOut)
    }
    guard callback.comes(from: endpoint.server) else {
      throw failure(
        .wrongIssuer(
          expected: endpoint.server.issuer, named: callback.issuer.map(ServerRefusal.shown)))
    }
    switch callback.answer {
    case .error("access_denied"): throw failure(.denied, callback.message)
    case .error(let code): throw failure(.refused(code: code), callback.message)
    case .code(let code):
      let tokens = try await endpoint.exchange(
        .authorizationCode(
          code: code, verifier: proofKey.verifier, redirectURI: redirectURI))
      let tenantID = account.redirectTenantParameter.flatMap { callback.tenantID(named: $0) }
      return (tokens, Credential.Redirect(uri: redirectURI, tenantID: tenantID))
    }
  }

  /// Waits for the redirect, from the browser or pasted; returns `nil` if the time is up.
  ///
  /// - Parameter isPage: true if it can only be pasted; the sign-in then ends with the delegate's
  ///   reading.
  private func callback(
    _ receiver: CallbackReceiver, isPage: Bool
  ) async throws -> AuthorizationCallback? {
    let nothing = failure(.nothingPasted)
    let pasting = Task { [delegate, server = endpoint.server] in
      await delegate.readPastedRedirects { receiver.receive(pasted: $0, from: server) }
      if isPage { receiver.outcome.resolve(.failure(nothing)) }
    }
    let result: Result<AuthorizationCallback?, any Error>
    do {
      result = .success(try await time.bounded(by: timeout) { try await receiver.outcome.value() })
    } catch {
      result = .failure(error)
    }
    pasting.cancel()
    await awaitEnd(of: pasting)
    return try result.get()
  }

  /// Waits until the delegate has stopped reading, because the terminal must be free again before
  /// anybody else asks something there.
  ///
  /// The wait has a limit, so that a delegate that ignores cancellation cannot hold up the sign-in.
  private func awaitEnd(of pasting: Task<Void, Never>) async {
    let patience = SharedOutcome<Void>()
    let limit = Task { [time] in
      try await time.sleep(Self.patience)
      patience.resolve(.success(()))
    }
    await patience.unlessResolved { await pasting.value }
    limit.cancel()
  }

  private func authorizationURL(
    _ redirectURI: String, state: String, proofKey: ProofKey
  ) -> URL? {
    guard AuthorizationServer.isTrustworthy(endpoint.server.authorizationEndpoint),
      var parts = URLComponents(
        url: endpoint.server.authorizationEndpoint, resolvingAgainstBaseURL: false)
    else { return nil }
    var fields = [
      (name: "response_type", value: "code"),
      (name: "client_id", value: account.client.id),
      (name: "redirect_uri", value: redirectURI),
      (name: "state", value: state),
      (name: "code_challenge", value: proofKey.challenge),
      (name: "code_challenge_method", value: "S256"),
    ]
    if !account.scopes.isEmpty {
      fields.append((name: "scope", value: account.scopes.joined(separator: " ")))
    }
    // OpenID Connect Core section 3.1.2.1: some servers require it, though no ID token is used
    // here.
    if account.scopes.contains("openid") {
      fields.append((name: "nonce", value: RandomBytes.make(16).base64URL))
    }
    // OpenID Connect Core section 11: without it, a server ignores the request for offline access,
    // and the login ends with the browser's session.
    if account.scopes.contains("openid"), account.scopes.contains("offline_access"),
      !(parts.queryItems ?? []).contains(where: { $0.name == "prompt" })
    {
      fields.append((name: "prompt", value: "consent"))
    }
    fields += account.targetFields
    // RFC 6749 section 3.1: the endpoint's own query is kept.
    let own = parts.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
    parts.percentEncodedQuery = own + FormEncoding.encode(fields)
    return parts.url
  }

  private func failure(
    _ reason: AuthenticationError.SignInFailure, _ message: ProviderMessage? = nil
  ) -> AuthenticationError {
    .signInFailed(account: account.name, reason: reason, message: message)
  }
}

/// A proof key for code exchange with the method `S256` (RFC 7636).
struct ProofKey: Sendable {
  /// 32 random bytes in base64url: 43 characters (section 4.1).
  let verifier: Secret
  /// The SHA-256 of the verifier in base64url (section 4.2).
  let challenge: String

  init() {
    self.init(verifier: RandomBytes.make(32).base64URL)
  }

  init(verifier: String) {
    self.verifier = Secret(verifier)
    challenge = SHA256.hash(Data(verifier.utf8)).base64URL
  }
}
