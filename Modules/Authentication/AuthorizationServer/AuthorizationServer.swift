public import Foundation

/// The endpoints of an authorization server (RFC 8414 section 2).
public struct AuthorizationServer: Sendable, Hashable {
  /// The server's identifier, if it has one.
  public var issuer: String?
  /// The page on which the user approves.
  public var authorizationEndpoint: URL
  /// The endpoint that issues tokens.
  public var tokenEndpoint: URL
  /// The endpoint that revokes tokens (RFC 7009).
  public var revocationEndpoint: URL?
  /// The endpoint that issues device codes (RFC 8628).
  public var deviceAuthorizationEndpoint: URL?
  /// The page that signs the user out of the server (OpenID Connect RP-Initiated Logout 1.0).
  public var endSessionEndpoint: URL?
  /// True if the server adds `iss` to its responses (RFC 9207); one without it is then refused.
  public var announcesIssuer: Bool

  /// Creates a description of a server.
  public init(
    issuer: String? = nil,
    authorizationEndpoint: URL,
    tokenEndpoint: URL,
    revocationEndpoint: URL? = nil,
    deviceAuthorizationEndpoint: URL? = nil,
    endSessionEndpoint: URL? = nil,
    announcesIssuer: Bool = false
  ) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.revocationEndpoint = revocationEndpoint
    self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
    self.endSessionEndpoint = endSessionEndpoint
    self.announcesIssuer = announcesIssuer
  }

  /// Returns true for a URL on this machine's loopback interface.
  package static func isLoopback(_ url: URL) -> Bool {
    ["127.0.0.1", "::1", "[::1]", "localhost"].contains(url.host() ?? "")
  }

  /// Returns true for an endpoint that may be used: `https`, or `http` on the loopback interface.
  static func isTrustworthy(_ url: URL) -> Bool {
    switch url.scheme?.lowercased() {
    case "https": url.host() != nil
    case "http": isLoopback(url)
    default: false
    }
  }
}

/// Endpoints of an authorization server that take precedence over its metadata.
public struct AuthorizationEndpoints: Sendable, Hashable {
  /// The page on which the user approves.
  public var authorization: URL?
  /// The endpoint that issues tokens.
  public var token: URL?
  /// The endpoint that revokes tokens (RFC 7009).
  public var revocation: URL?
  /// The endpoint that issues device codes (RFC 8628).
  public var deviceAuthorization: URL?

  /// Creates an empty set.
  public init() {}
}

/// The source of an authorization server's endpoints.
public enum AuthorizationServerSource: Sendable, Hashable {
  /// The endpoints from the configuration.
  case endpoints(AuthorizationServer)
  /// The endpoints from the issuer's metadata (RFC 8414, OpenID Connect Discovery 1.0), except for
  /// those that are given.
  case discovery(issuer: URL, given: AuthorizationEndpoints = AuthorizationEndpoints())

  /// A text that identifies this server; a login is never sent to another one.
  var identity: String {
    switch self {
    case .endpoints(let server): server.tokenEndpoint.absoluteString
    case .discovery(let issuer, let given):
      // A refresh token is sent to the token endpoint, so a given endpoint is part of the identity.
      ([issuer] + [given.token].compactMap(\.self)).map(\.absoluteString).joined(separator: " ")
    }
  }

  /// Returns true if a text identifies this server; a slash at the end of an issuer names no other
  /// one.
  func isIdentified(by text: String) -> Bool {
    guard case .discovery = self else { return text == identity }
    func words(_ text: String) -> [Substring] {
      var words = text.split(separator: " ")
      if let issuer = words.first { words[0] = issuer.trimmingSlash }
      return words
    }
    return words(text) == words(identity)
  }
}

extension StringProtocol where SubSequence == Substring {
  var trimmingSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
