import Foundation
import HTTPTypes
import Networking
import SecureStore

/// Speaks to the token and revocation endpoints of one server as one client.
///
/// Its session has no authorizer: a request to the token endpoint can never wait for a token.
struct TokenEndpoint: Sendable {
  let server: AuthorizationServer
  let client: OAuthClient
  let session: Session
  let time: TimeSource
  /// Told of every token request that is sent.
  let onRequest: @Sendable () -> Void

  /// What is exchanged for tokens.
  enum Grant: Sendable {
    case authorizationCode(code: Secret, verifier: Secret, redirectURI: String)
    case refreshToken(Secret)
    case clientCredentials(scopes: [String])

    fileprivate var fields: [(name: String, value: String)] {
      switch self {
      case .authorizationCode(let code, let verifier, let redirectURI):
        [
          ("grant_type", "authorization_code"), ("code", code.exposedText ?? ""),
          ("redirect_uri", redirectURI), ("code_verifier", verifier.exposedText ?? ""),
        ]
      case .refreshToken(let token):
        [("grant_type", "refresh_token"), ("refresh_token", token.exposedText ?? "")]
      case .clientCredentials(let scopes):
        [("grant_type", "client_credentials")]
          + (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))])
      }
    }
  }

  /// Exchanges a grant for tokens.
  ///
  /// - Throws: ``TokenEndpointError``, `SessionError`, or `CancellationError`.
  func exchange(_ grant: Grant) async throws -> TokenResponse {
    let request = try request(to: server.tokenEndpoint, fields: grant.fields)
    onRequest()
    let response = try await session.send(request)
    let now = time.wall()
    let status = response.head.status.code
    if status == 200 {
      guard let tokens = TokenResponse(body: response.body, receivedAt: now) else {
        // A captive portal answers 200 with a page of its own.
        throw TokenEndpointError.unavailable(status: status, retryAt: nil)
      }
      return tokens
    }
    let retryAt = RetryAfter.seconds(in: response.head, now: now).map { now.addingTimeInterval($0) }
    throw TokenEndpointError(status: status, body: response.body, retryAt: retryAt)
  }

  /// Gives a token back (RFC 7009); `false` where the server did not confirm it.
  func revoke(_ token: Secret, hint: String) async -> Bool {
    guard let endpoint = server.revocationEndpoint else { return false }
    let fields = [("token", token.exposedText ?? ""), ("token_type_hint", hint)]
    guard let request = try? request(to: endpoint, fields: fields),
      let response = try? await session.send(request)
    else { return false }
    return response.head.status.code == 200
  }

  private func request(
    to url: URL, fields: [(name: String, value: String)]
  ) throws -> Request {
    guard AuthorizationServer.isTrustworthy(url) else { throw DiscoveryError.insecure(url) }
    var headers: HTTPFields = [
      .accept: "application/json", .contentType: "application/x-www-form-urlencoded",
    ]
    var fields = fields
    switch (client.authentication, client.secret?.exposedText) {
    case (.basic, let secret?):
      // RFC 6749 2.3.1: both parts are form-encoded before they are joined.
      let pair = "\(FormEncoding.escape(client.id)):\(FormEncoding.escape(secret))"
      headers[.authorization] = "Basic " + Data(pair.utf8).base64EncodedString()
    case (.post, let secret?):
      fields += [("client_id", client.id), ("client_secret", secret)]
    default:
      fields.append(("client_id", client.id))
    }
    var request = try Request(
      method: .post, url: url, fields: headers, body: Array(FormEncoding.encode(fields).utf8))
    request.authorization = .none
    return request
  }
}
