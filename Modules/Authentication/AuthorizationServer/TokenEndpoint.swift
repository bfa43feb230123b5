import Foundation
import HTTPTypes
import Networking
import SecureStore
import SystemSupport

/// The token, device and revocation endpoints of one server, for the client of one account.
///
/// Its session has no authorizer, so a request to the token endpoint can never wait for a token.
struct TokenEndpoint: Sendable {
  let server: AuthorizationServer
  let account: Account
  let session: Session
  let time: TimeSource
  /// Called for every token request that is sent.
  let onRequest: @Sendable () -> Void

  /// Exchanges a grant for tokens.
  ///
  /// - Parameter report: records if any byte of the request may have been written.
  /// - Throws: ``TokenEndpointError``, `SessionError`, or `CancellationError`.
  func exchange(
    _ grant: TokenGrant, report: WriteReport? = nil
  ) async throws -> TokenResponse {
    // A code has its targets already; a request may repeat them (RFC 8707 section 2.2).
    var request = try self.request(to: server.tokenEndpoint, grant.fields + account.targetFields)
    request.writeReport = report ?? WriteReport()
    if grant.isSingleUse { request.answerTimeout = session.configuration.exchangeLimit }
    onRequest()
    let response = try await session.send(request)
    let now = time.wall()
    // RFC 6749 section 5.1 names 200, but the token is spent after any other success as well.
    guard response.head.status.kind == .successful else {
      throw refusal(response, to: grant, now: now)
    }
    let skew = response.head.headerFields[.date].flatMap(HTTPDate.parse).map {
      // The header counts whole seconds, so on average the server's clock is half a second ahead.
      $0.timeIntervalSince(now) + 0.5
    }
    guard
      let tokens = TokenResponse(body: response.body, receivedAt: now, clockSkew: skew)
    else {
      // A captive portal answers 200 with its own page, and some servers so with an error.
      throw JSONMembers(response.body)?.text("access_token") == nil
        ? refusal(response, to: grant, now: now) : TokenEndpointError.unusableToken
    }
    return tokens
  }

  /// Requests a code that the user enters on another device (RFC 8628 section 3.1).
  ///
  /// - Throws: ``TokenEndpointError``, `SessionError`, or `CancellationError`.
  func deviceAuthorization() async throws -> DeviceAuthorizationResponse {
    guard let endpoint = server.deviceAuthorizationEndpoint else {
      throw AuthenticationError.misconfigured(
        account: account.name,
        reason: "its provider has no device sign-in; sign in with a browser instead")
    }
    let scope = account.scopes.isEmpty ? [] : [("scope", account.scopes.joined(separator: " "))]
    let response = try await session.send(
      try request(to: endpoint, scope + account.targetFields))
    let now = time.wall()
    guard response.head.status.code == 200,
      let device = DeviceAuthorizationResponse(body: response.body, receivedAt: now)
    else { throw refusal(response, to: nil, now: now) }
    return device
  }

  /// Revokes a credential (RFC 7009); `false` if the server did not confirm it.
  func revoke(_ credential: Credential) async -> Bool {
    guard let endpoint = server.revocationEndpoint else { return false }
    // Revoking the refresh token ends the access tokens made from it as well (section 2.1).
    let (token, hint) =
      credential.refreshToken.map { ($0, "refresh_token") }
      ?? (credential.accessToken, "access_token")
    let form = [("token", token.exposedText ?? ""), ("token_type_hint", hint)]
    guard let request = try? request(to: endpoint, form),
      let response = try? await session.send(request)
    else { return false }
    // Some servers refuse with status 200.
    return response.head.status.code == 200 && ServerRefusal(response).code == nil
  }

  private func request(to url: URL, _ form: [(name: String, value: String)]) throws -> Request {
    var request = TokenRequest(url: url, form: form, isJSON: account.sendsJSONTokenRequests)
    account.client.authenticate(&request)
    var sent = try request.request()
    // A server may repeat in its message what it received.
    sent.sent = SentCredentials(
      [request.fields[.authorization], account.client.secret?.exposedText].compactMap(\.self)
        + form.filter { Self.secretFields.contains($0.name) }.map { $0.value })
    return sent
  }

  private static let secretFields: Set = [
    "code", "code_verifier", "device_code", "refresh_token", "token",
  ]

  private func refusal(
    _ response: Response, to grant: TokenGrant?, now: Date
  ) -> TokenEndpointError {
    let retryAt = RetryAfter.seconds(in: response.head, now: now).map { now.addingTimeInterval($0) }
    return TokenEndpointError(ServerRefusal(response), to: grant, retryAt: retryAt)
  }
}
