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

enum TokenGrant: Sendable {
  /// RFC 6749 section 4.1.3, RFC 7636 section 4.5.
  case authorizationCode(code: Secret, verifier: Secret, redirectURI: String)
  /// RFC 6749 section 6; with the redirect URI of the sign-in for servers that require it again.
  case refreshToken(Secret, redirectURI: String?)
  /// RFC 6749 section 4.4.
  case clientCredentials(scopes: [String])
  /// RFC 8628 section 3.4.
  case deviceCode(Secret)

  /// True if the answer to a request that was lost cannot be asked for again.
  var isSingleUse: Bool {
    switch self {
    case .authorizationCode, .refreshToken: true
    // The next poll asks again.
    case .clientCredentials, .deviceCode: false
    }
  }

  var fields: [(name: String, value: String)] {
    switch self {
    case .authorizationCode(let code, let verifier, let redirectURI):
      [
        ("grant_type", "authorization_code"), ("code", code.exposedText ?? ""),
        ("redirect_uri", redirectURI), ("code_verifier", verifier.exposedText ?? ""),
      ]
    case .refreshToken(let token, let redirectURI):
      [("grant_type", "refresh_token"), ("refresh_token", token.exposedText ?? "")]
        + (redirectURI.map { [("redirect_uri", $0)] } ?? [])
    case .clientCredentials(let scopes):
      [("grant_type", "client_credentials")]
        + (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))])
    case .deviceCode(let code):
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("device_code", code.exposedText ?? ""),
      ]
    }
  }
}

extension SessionConfiguration {
  /// The longest time for an exchange of a single-use value, retries included.
  ///
  /// Once the request is written, the value may be spent, and waiting costs less than giving up.
  /// Other processes count on the limit: after it, the request has ended.
  var exchangeLimit: Duration { timeout.operation ?? max(timeout.request, .seconds(120)) }
}

private struct TokenRequest {
  let url: URL
  var form: [(name: String, value: String)]
  var isJSON = false
  var fields: HTTPFields = [.accept: "application/json"]

  /// Creates the request that a session sends; it carries no account's credentials.
  func request() throws -> Request {
    guard AuthorizationServer.isTrustworthy(url) else { throw DiscoveryError.insecure(url) }
    var fields = fields
    fields[.contentType] = isJSON ? "application/json" : "application/x-www-form-urlencoded"
    let body =
      isJSON
      ? [UInt8](
        try JSONEncoder().encode(
          Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })))
      : Array(FormEncoding.encode(form).utf8)
    var request = try Request(method: .post, url: url, fields: fields, body: body)
    request.authorization = .none
    return request
  }
}

extension OAuthClient {
  /// Adds the client's authentication to a request (RFC 6749 section 2.3).
  ///
  /// A further method, such as a signed assertion (RFC 7523), is one more case here.
  fileprivate func authenticate(_ request: inout TokenRequest) {
    switch (authentication, secret?.exposedText) {
    case (.basic, let secret?):
      // RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
      let pair = "\(FormEncoding.escape(id)):\(FormEncoding.escape(secret))"
      request.fields[.authorization] = "Basic " + Data(pair.utf8).base64EncodedString()
    case (.post, let secret?):
      request.form += [("client_id", id), ("client_secret", secret)]
    default:
      request.form.append(("client_id", id))
    }
  }
}
