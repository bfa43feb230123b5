public import Foundation
public import HTTPTypes

/// Scheme, host and port, to which credentials are bound (RFC 6454 section 4).
public struct Origin: Sendable, Hashable {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case, an IPv6 address in brackets.
  public let host: String
  /// The port, even if the URL omits the default one.
  public let port: Int

  /// Returns the origin of a URL; `nil` if it is not an `http` or `https` URL with a host.
  public init?(_ url: URL) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    self.init(parts)
  }

  init?(_ parts: URLComponents) {
    guard let scheme = parts.scheme?.lowercased(), let host = parts.encodedHost?.lowercased(),
      !host.isEmpty, let usual = Self.usualPort(of: scheme)
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = parts.port ?? usual
  }

  private static func usualPort(of scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }

  /// Returns the origin to which a request is sent.
  public init?(_ request: HTTPRequest) {
    guard let scheme = request.scheme, let authority = request.authority,
      let url = URL(string: "\(scheme)://\(authority)/")
    else { return nil }
    self.init(url)
  }
}

extension Origin: CustomStringConvertible {
  /// `scheme://host`, with the port if it is not the default one.
  public var description: String {
    "\(scheme)://\(host)" + (port == Self.usualPort(of: scheme) ? "" : ":\(port)")
  }
}

extension URLComponents {
  /// The host as it is written in a URL, an IPv6 address in brackets.
  var encodedHost: String? {
    percentEncodedHost.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
  }
}

/// The origins to which credentials may be sent, looked up once per request.
package struct OriginSet: Sendable {
  private let origins: Set<Origin>
  /// The usual spellings of these origins; comparing them is much faster than parsing a URL.
  private let spellings: [(scheme: String, authority: String)]

  /// Creates a set.
  package init(_ origins: Set<Origin>) {
    self.origins = origins
    spellings = origins.flatMap { origin in
      let usual = origin.scheme == "https" ? 443 : 80
      let explicit = (scheme: origin.scheme, authority: "\(origin.host):\(origin.port)")
      return origin.port == usual ? [(origin.scheme, origin.host), explicit] : [explicit]
    }
  }

  /// Returns whether a request goes to one of the origins.
  package func contains(_ request: HTTPRequest) -> Bool {
    if let scheme = request.scheme, let authority = request.authority,
      spellings.contains(where: { $0.authority == authority && $0.scheme == scheme })
    {
      return true
    }
    return Origin(request).map(origins.contains) ?? false
  }
}
