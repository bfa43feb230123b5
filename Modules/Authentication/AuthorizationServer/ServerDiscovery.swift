package import Foundation
import HTTPTypes
import Networking

/// The discovery of an authorization server's endpoints from its metadata (RFC 8414 section 3,
/// OpenID Connect Discovery section 4).
struct ServerDiscovery: Sendable {
  let session: Session

  /// Requests both well-known URLs, the OAuth one first; given endpoints override the metadata.
  ///
  /// Some servers answer an unknown path with a page of their own or another refusal than 404, so
  /// such an answer is no reason to leave the other URL, or the given endpoints, unused.
  func server(
    of issuer: URL, given: AuthorizationEndpoints = AuthorizationEndpoints()
  ) async throws -> AuthorizationServer {
    guard AuthorizationServer.isTrustworthy(issuer) else { throw DiscoveryError.insecure(issuer) }
    var failure = DiscoveryError.absent(issuer)
    for url in Self.metadataURLs(of: issuer) {
      var request = try Request(url: url, fields: [.accept: "application/json"])
      request.authorization = .none
      let response = try await session.send(request)
      let status = response.head.status
      switch status.code {
      case 200:
        do {
          return try Self.server(from: response.body, issuer: issuer, given: given)
        } catch DiscoveryError.malformed {
          failure = .malformed
        }
      case 404: break
      default: failure = .unavailable(status: status.code)
      }
    }
    // A server without metadata is usable if its endpoints are given.
    guard let authorization = given.authorization, let token = given.token else {
      throw failure
    }
    return AuthorizationServer(
      issuer: issuer.absoluteString, authorizationEndpoint: authorization, tokenEndpoint: token,
      revocationEndpoint: given.revocation, deviceAuthorizationEndpoint: given.deviceAuthorization)
  }

  /// Returns the well-known URLs: RFC 8414 inserts its part before the issuer's path, OpenID
  /// appends it.
  static func metadataURLs(of issuer: URL) -> [URL] {
    guard var parts = URLComponents(url: issuer, resolvingAgainstBaseURL: false) else { return [] }
    let path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
    return [
      "/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration",
    ]
    .compactMap { wellKnownPath in
      parts.path = wellKnownPath
      return parts.url
    }
  }

  static func server(
    from body: [UInt8], issuer: URL, given: AuthorizationEndpoints = AuthorizationEndpoints()
  ) throws -> AuthorizationServer {
    guard let metadata = JSONMembers(body), let name = metadata.text("issuer") else {
      throw DiscoveryError.malformed
    }
    // RFC 8414 3.3: metadata that names another issuer must not be used.
    guard name.trimmingSlash == issuer.absoluteString.trimmingSlash else {
      throw DiscoveryError.otherIssuer(asked: issuer.absoluteString, named: name)
    }
    func endpoint(_ given: URL?, _ member: String) throws -> URL? {
      if let given { return given }
      guard let url = metadata.url(member) else { return nil }
      // A remote server must not have tokens sent to a program on this machine.
      guard url.scheme?.lowercased() == "https" || issuer.scheme?.lowercased() == "http",
        AuthorizationServer.isTrustworthy(url)
      else { throw DiscoveryError.insecure(url) }
      return url
    }
    let authorization = try endpoint(given.authorization, "authorization_endpoint")
    let token = try endpoint(given.token, "token_endpoint")
    guard let authorization, let token else { throw DiscoveryError.malformed }
    return AuthorizationServer(
      issuer: name,
      authorizationEndpoint: authorization,
      tokenEndpoint: token,
      revocationEndpoint: try endpoint(given.revocation, "revocation_endpoint"),
      deviceAuthorizationEndpoint: try endpoint(
        given.deviceAuthorization, "device_authorization_endpoint"),
      endSessionEndpoint: try endpoint(nil, "end_session_endpoint"),
      announcesIssuer: metadata.boolean("authorization_response_iss_parameter_supported") ?? false)
  }
}

/// The reason why a server's metadata cannot be used.
package enum DiscoveryError: Error, Sendable, Equatable {
  /// Neither well-known URL exists.
  case absent(URL)
  /// The server answered with an error.
  case unavailable(status: Int)
  /// The response is not the metadata of a server.
  case malformed
  /// The metadata names another issuer than the requested one.
  case otherIssuer(asked: String, named: String)
  /// An endpoint is neither `https` nor, like its issuer, on this machine.
  case insecure(URL)
}

extension DiscoveryError {
  /// True if no retry helps until the configuration, or the server's metadata, is corrected.
  var isOfConfiguration: Bool {
    switch self {
    case .otherIssuer, .insecure: true
    case .absent, .unavailable, .malformed: false
    }
  }
}

extension DiscoveryError: CustomStringConvertible {
  /// A sentence for the user.
  package var description: String {
    switch self {
    case .absent(let issuer):
      "\(issuer.absoluteString) publishes no metadata; set authorizationURL and tokenURL"
    case .unavailable(let status): "the authorization server's metadata failed (status \(status))"
    case .malformed:
      "cannot read the authorization server's metadata; correct issuer, or set authorizationURL "
        + "and tokenURL"
    case .otherIssuer(let asked, let named):
      "the metadata of the issuer '\(asked)' names another one, '\(ServerRefusal.shown(named))'"
    case .insecure(let url): "\(url.absoluteString) must be an https address, or on this machine"
    }
  }
}
