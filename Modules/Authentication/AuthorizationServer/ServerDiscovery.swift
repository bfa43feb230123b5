package import Foundation
import HTTPTypes
import Networking

/// Reads an authorization server's metadata (RFC 8414 section 3, OpenID Connect Discovery section 4).
struct ServerDiscovery: Sendable {
  let session: Session

  /// Asks both well-known places, the OAuth one first; what is given wins over what they say.
  func server(
    of issuer: URL, given: AuthorizationEndpoints = AuthorizationEndpoints()
  ) async throws -> AuthorizationServer {
    guard AuthorizationServer.isTrustworthy(issuer) else { throw DiscoveryError.insecure(issuer) }
    for place in Self.places(of: issuer) {
      var request = try Request(url: place, fields: [.accept: "application/json"])
      request.authorization = .none
      let response = try await session.send(request)
      guard response.head.status.code == 200 else {
        if response.head.status.code == 404 { continue }
        throw DiscoveryError.unavailable(status: response.head.status.code)
      }
      return try Self.server(from: response.body, issuer: issuer, given: given)
    }
    // A server without metadata can be described as a whole.
    guard let authorization = given.authorization, let token = given.token else {
      throw DiscoveryError.absent(issuer)
    }
    return AuthorizationServer(
      issuer: issuer.absoluteString, authorizationEndpoint: authorization, tokenEndpoint: token,
      revocationEndpoint: given.revocation, deviceAuthorizationEndpoint: given.deviceAuthorization)
  }

  /// RFC 8414 puts the well-known part before the issuer's path, OpenID behind it.
  static func places(of issuer: URL) -> [URL] {
    guard var parts = URLComponents(url: issuer, resolvingAgainstBaseURL: false) else { return [] }
    let path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
    return [
      "/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration",
    ]
    .compactMap { place in
      parts.path = place
      return parts.url
    }
  }

  /// Reads the metadata member by member.
  static func server(
    from body: [UInt8], issuer: URL, given: AuthorizationEndpoints = AuthorizationEndpoints()
  ) throws -> AuthorizationServer {
    guard let metadata = JSONMembers(body), let name = metadata.text("issuer") else {
      throw DiscoveryError.malformed
    }
    // RFC 8414 3.3: metadata that names another issuer must not be used.
    guard name.trimmingSlash == issuer.absoluteString.trimmingSlash else {
      throw DiscoveryError.otherIssuer
    }
    func endpoint(_ given: URL?, _ member: String) throws -> URL? {
      if let given { return given }
      guard let url = metadata.url(member) else { return nil }
      // A server elsewhere must not send tokens to whatever listens on this machine.
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

/// Why a server's metadata could not be used.
package enum DiscoveryError: Error, Sendable, Equatable {
  /// Neither well-known place exists.
  case absent(URL)
  /// The server answered with an error.
  case unavailable(status: Int)
  /// The answer is not the metadata of a server.
  case malformed
  /// The metadata names another issuer than the one asked.
  case otherIssuer
  /// An endpoint is neither `https` nor, as its issuer, on this machine.
  case insecure(URL)
}

extension String {
  fileprivate var trimmingSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
