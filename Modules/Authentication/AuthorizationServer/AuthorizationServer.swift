public import Foundation

/// The endpoints of an authorization server (RFC 8414 section 2).
public struct AuthorizationServer: Sendable, Hashable {
  /// The server's identifier, where it has one.
  public var issuer: String?
  /// Where a person approves.
  public var authorizationEndpoint: URL
  /// Where tokens are obtained.
  public var tokenEndpoint: URL
  /// Where tokens are given back (RFC 7009).
  public var revocationEndpoint: URL?
  /// Where a device asks for a code to show (RFC 8628).
  public var deviceAuthorizationEndpoint: URL?
  /// Where a person signs out of the server itself (OpenID Connect RP-Initiated Logout 1.0).
  public var endSessionEndpoint: URL?
  /// Whether it puts `iss` in its answers (RFC 9207); then an answer without it is refused.
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

  /// Whether a URL leads to this machine's own loopback interface.
  package static func isLoopback(_ url: URL) -> Bool {
    ["127.0.0.1", "::1", "[::1]", "localhost"].contains(url.host() ?? "")
  }

  /// Whether an endpoint may be used: `https`, or `http` on this machine's own loopback address.
  static func isTrustworthy(_ url: URL) -> Bool {
    switch url.scheme?.lowercased() {
    case "https": url.host() != nil
    case "http": isLoopback(url)
    default: false
    }
  }
}

/// Endpoints of an authorization server that win over its metadata, one by one.
public struct AuthorizationEndpoints: Sendable, Hashable {
  /// Where a person approves.
  public var authorization: URL?
  /// Where tokens are obtained.
  public var token: URL?
  /// Where tokens are given back (RFC 7009).
  public var revocation: URL?
  /// Where a device asks for a code to show (RFC 8628).
  public var deviceAuthorization: URL?

  /// Creates a set without any.
  public init() {}
}

/// How the endpoints of an authorization server are known.
public enum AuthorizationServerSource: Sendable, Hashable {
  /// They are given.
  case endpoints(AuthorizationServer)
  /// They are read from the metadata of this issuer (RFC 8414, OpenID Connect Discovery 1.0), but for
  /// those that are given.
  case discovery(issuer: URL, given: AuthorizationEndpoints = AuthorizationEndpoints())

  /// What tells this server from another; a login is never shown to another one.
  var identity: String {
    switch self {
    case .endpoints(let server): server.tokenEndpoint.absoluteString
    case .discovery(let issuer, let given):
      // The token endpoint is what a refresh token is sent to.
      ([issuer] + [given.token].compactMap(\.self)).map(\.absoluteString).joined(separator: " ")
    }
  }
}
