import Foundation

extension Proxy {
  /// Parses a proxy in the form of the environment and the configuration file:
  /// `[http://][user[:password]@]host[:port][/]`.
  ///
  /// User and password are percent-decoded; an IPv6 address is in brackets, which ``host`` omits.
  /// The default port is 80, that of the scheme and of Go; curl uses 1080. Proxies over TLS or
  /// SOCKS are refused.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)``; its reason contains nothing of the text,
  ///   because any part of it may be a password.
  package init(parsing text: String) throws(SessionError) {
    var rest = text[...]
    if let separator = text.firstRange(of: "://") {
      try Self.check(scheme: text[..<separator.lowerBound].lowercased())
      rest = text[separator.upperBound...]
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains(where: { "/?#".contains($0) }) else {
      throw .invalidRequest(
        reason:
          "a proxy's address has no path; write '/', '?' and '#' in its user name and password as "
          + "%2F, %3F and %23")
    }
    var credentials: UserCredentials?
    if let at = rest.lastIndex(of: "@") {
      credentials = try Self.credentials(rest[..<at])
      rest = rest[at...].dropFirst()
    }
    guard let place = HostAndPort(rest), !place.isBareIPv6, Self.isHost(place.host) else {
      throw .invalidRequest(
        reason: "expected http://host:port, with an IPv6 address in brackets")
    }
    self.init(host: place.host, port: place.port ?? 80, credentials: credentials)
  }

  private static func check(scheme: String) throws(SessionError) {
    switch scheme {
    case "http": return
    case "https":
      throw .invalidRequest(reason: "https:// proxies are not supported; use an http:// proxy")
    case "socks", "socks4", "socks4a", "socks5", "socks5h":
      throw .invalidRequest(reason: "SOCKS proxies are not supported; use an http:// proxy")
    default: throw .invalidRequest(reason: "expected the http:// address of a proxy")
    }
  }

  private static func credentials(_ text: Substring) throws(SessionError) -> UserCredentials? {
    let user = text.prefix { $0 != ":" }
    let password = text[user.endIndex...].dropFirst()
    guard let user = String(user).removingPercentEncoding,
      let password = String(password).removingPercentEncoding
    else {
      throw .invalidRequest(
        reason: "the user name or password is not percent-encoded; write '%' as %25")
    }
    return user.isEmpty && password.isEmpty
      ? nil : try UserCredentials(user: user, password: password)
  }

  private static func isHost(_ text: String) -> Bool {
    if IPNetwork(text) != nil { return true }
    return text.count <= 253
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
