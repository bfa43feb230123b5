package import Foundation
import HTTPTypes
import Networking

/// Reads an authorization server's metadata (RFC 8414 section 3, OpenID Connect Discovery section 4).
struct ServerDiscovery: Sendable {
  let session: Session

  /// Asks both well-known places, the OAuth one first.
  func server(of issuer: URL) async throws -> AuthorizationServer {
    guard AuthorizationServer.isTrustworthy(issuer) else { throw DiscoveryError.insecure(issuer) }
    for place in Self.places(of: issuer) {
      var request = try Request(url: place, fields: [.accept: "application/json"])
      request.authorization = .none
      let response = try await session.send(request)
      guard response.head.status.code == 200 else {
        if response.head.status.code == 404 { continue }
        throw DiscoveryError.unavailable(status: response.head.status.code)
      }
      return try Self.server(from: response.body, issuer: issuer)
    }
    throw DiscoveryError.absent(issuer)
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

  static func server(from body: [UInt8], issuer: URL) throws -> AuthorizationServer {
    guard let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(body)),
      let authorization = URL(string: metadata.authorizationEndpoint),
      let token = URL(string: metadata.tokenEndpoint)
    else { throw DiscoveryError.malformed }
    // RFC 8414 3.3: metadata that names another issuer must not be used.
    guard metadata.issuer.trimmingSlash == issuer.absoluteString.trimmingSlash else {
      throw DiscoveryError.otherIssuer
    }
    let revocation = metadata.revocationEndpoint.flatMap(URL.init(string:))
    let device = metadata.deviceAuthorizationEndpoint.flatMap(URL.init(string:))
    let endSession = metadata.endSessionEndpoint.flatMap(URL.init(string:))
    for endpoint in [authorization, token, revocation, device, endSession].compactMap(\.self)
    where !AuthorizationServer.isTrustworthy(endpoint) {
      throw DiscoveryError.insecure(endpoint)
    }
    return AuthorizationServer(
      issuer: metadata.issuer,
      authorizationEndpoint: authorization,
      tokenEndpoint: token,
      revocationEndpoint: revocation,
      deviceAuthorizationEndpoint: device,
      endSessionEndpoint: endSession,
      announcesIssuer: metadata.announcesIssuer ?? false)
  }

  private struct Metadata: Decodable {
    let issuer: String
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let revocationEndpoint: String?
    let deviceAuthorizationEndpoint: String?
    let endSessionEndpoint: String?
    let announcesIssuer: Bool?

    private enum CodingKeys: String, CodingKey {
      case issuer
      case authorizationEndpoint = "authorization_endpoint"
      case tokenEndpoint = "token_endpoint"
      case revocationEndpoint = "revocation_endpoint"
      case deviceAuthorizationEndpoint = "device_authorization_endpoint"
      case endSessionEndpoint = "end_session_endpoint"
      case announcesIssuer = "authorization_response_iss_parameter_supported"
    }
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
  /// An endpoint is neither `https` nor on this machine.
  case insecure(URL)
}

extension String {
  fileprivate var trimmingSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
