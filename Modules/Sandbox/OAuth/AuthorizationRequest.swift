import Foundation
import Networking
import SystemSupport

/// A valid request at the authorization endpoint (RFC 6749 section 4.1.1, RFC 7636 section 4.3).
struct AuthorizationRequest: Sendable, Hashable {
  let clientID: String
  let redirectURI: RedirectURI
  let state: String?
  let scope: Scope
  let challenge: String
}

enum AuthorizationOutcome {
  /// The server asks the user.
  case valid(AuthorizationRequest)
  /// The server reports the error to the client by a redirect.
  case refused(OAuthError, redirectURI: RedirectURI, state: String?)
  /// The request is not trustworthy enough for a redirect, so a page reports it (section 4.1.2.1).
  case untrusted(String)
}

extension AuthorizationOutcome {
  init(query parameters: FormParameters, clientID known: String) {
    guard parameters.repeated.isDisjoint(with: ["client_id", "redirect_uri"]) else {
      self = .untrusted("client_id or redirect_uri is repeated.")
      return
    }
    guard let clientID = parameters["client_id"], clientID == known else {
      self = .untrusted("The client is not registered.")
      return
    }
    guard let redirectURI = parameters["redirect_uri"].flatMap(RedirectURI.init) else {
      self = .untrusted("The redirect URI is missing or is not a loopback address.")
      return
    }
    do {
      self = .valid(try Self.request(parameters, clientID: clientID, redirectURI: redirectURI))
    } catch {
      self = .refused(error, redirectURI: redirectURI, state: parameters["state"])
    }
  }

  private static func request(
    _ parameters: FormParameters, clientID: String, redirectURI: RedirectURI
  ) throws(OAuthError) -> AuthorizationRequest {
    guard parameters.repeated.isEmpty else {
      throw OAuthError(.invalidRequest, "A parameter is repeated.")
    }
    guard let responseType = parameters["response_type"] else {
      throw OAuthError(.invalidRequest, "response_type is missing.")
    }
    guard responseType == "code" else {
      throw OAuthError(.unsupportedResponseType, "Only the response type code is supported.")
    }
    guard let challenge = parameters["code_challenge"], CodeChallenge.isWellFormed(challenge),
      parameters["code_challenge_method"] == "S256"
    else {
      throw OAuthError(.invalidRequest, "A PKCE challenge with the method S256 is required.")
    }
    guard let scope = parameters["scope"].map(Scope.init) ?? .standard else {
      throw OAuthError(.invalidScope, "The scope is malformed.")
    }
    return AuthorizationRequest(
      clientID: clientID, redirectURI: redirectURI, state: parameters["state"], scope: scope,
      challenge: challenge)
  }
}

/// The redirection endpoint of a native application: loopback, any port (RFC 8252 section 7.3).
struct RedirectURI: Sendable, Hashable {
  /// The address exactly as the client sent it; the token request must repeat it.
  let text: String

  /// Accepts `http://127.0.0.1`, `http://[::1]` and `http://localhost` with any port and path.
  init?(_ text: String) {
    guard let components = URLComponents(string: text), components.scheme == "http",
      let host = components.host, ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host),
      components.fragment == nil, components.user == nil, components.password == nil,
      // The text becomes part of a header, so it must not contain a line end.
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.text = text
  }

  func appending(_ parameters: [(name: String, value: String?)]) -> String {
    let query = parameters.compactMap { parameter in
      parameter.value.map { "\(parameter.name)=\(FormEncoding.escape($0))" }
    }
    return text + (text.contains("?") ? "&" : "?") + query.joined(separator: "&")
  }
}

/// A set of scopes in the order of the request (RFC 6749 section 3.3).
struct Scope: Sendable, Hashable, Codable {
  let tokens: [String]

  static let standard = Scope(tokens: ["offline_access", "accounting.invoices.read"])

  private init(tokens: [String]) {
    self.tokens = tokens
  }

  /// Parses space-separated scopes; `nil` if a character is not allowed.
  init?(_ text: String) {
    let tokens = text.split(separator: " ").map(String.init)
    let isAllowed = tokens.allSatisfy { token in
      token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    }
    guard isAllowed, !tokens.isEmpty else { return nil }
    self.init(tokens: tokens)
  }

  /// True if the grant includes a refresh token, for which Xero requires `offline_access`.
  var isOffline: Bool { tokens.contains("offline_access") }

  var text: String { tokens.joined(separator: " ") }

  func isSubset(of other: Scope) -> Bool {
    Set(tokens).isSubset(of: other.tokens)
  }
}

/// Proof Key for Code Exchange with the method S256 (RFC 7636).
enum CodeChallenge {
  /// Returns true if a text can be a challenge or a verifier: 43 to 128 unreserved characters.
  static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }

  static func challenge(for verifier: String) -> String {
    SHA256.hash(Array(verifier.utf8)).base64URL
  }
}

/// A refusal in the terms of RFC 6749 sections 4.1.2.1 and 5.2, and RFC 8628 section 3.5.
struct OAuthError: Error, Equatable {
  enum Code: String, Sendable {
    case accessDenied = "access_denied"
    case authorizationPending = "authorization_pending"
    case expiredToken = "expired_token"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case slowDown = "slow_down"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
  }

  var code: Code
  var description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  var json: [UInt8] {
    JSONWriter.object { writer in
      writer.member("error", code.rawValue)
      writer.member("error_description", description)
    }
  }
}

/// Unguessable, opaque text for tokens, codes and secrets.
enum RandomToken {
  /// Returns 256 random bits as base64url, 43 characters.
  static func make() -> String { RandomBytes.make(32).base64URL }
}
