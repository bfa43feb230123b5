public import Foundation
public import HTTPTypes

/// Scheme, host and port: what credentials are bound to (RFC 6454 section 4).
public struct Origin: Sendable, Hashable {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case, an IPv6 address in brackets.
  public let host: String
  /// The port, also where the URL leaves the usual one out.
  public let port: Int

  /// The origin of a URL, or `nil` where it is no `http` or `https` URL with a host.
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

  /// The origin that a request goes to.
  public init?(_ request: HTTPRequest) {
    guard let scheme = request.scheme, let authority = request.authority,
      let url = URL(string: "\(scheme)://\(authority)/")
    else { return nil }
    self.init(url)
  }
}

extension Origin: CustomStringConvertible {
  /// `scheme://host`, with the port where it is not the usual one.
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
