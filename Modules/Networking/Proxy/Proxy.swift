package import Foundation

/// The choice of proxies for a session's connections.
public enum ProxyPolicy: Sendable, Hashable {
  /// The proxies that the environment names: `https_proxy`, `http_proxy`, `all_proxy`, with direct
  /// connections to the hosts of `no_proxy`.
  case environment
  /// Direct connections only.
  case none
  /// This proxy for all connections.
  case server(Proxy)
}

/// A proxy that opens tunnels, even for `http` (`CONNECT`, RFC 9110 section 9.3.6).
///
/// Many proxies allow tunnels to the ports of `https` only.
public struct Proxy: Sendable, Hashable {
  /// The host name or address of the proxy.
  public var host: String
  /// The port of the proxy.
  public var port: Int
  /// The credentials for the proxy, if it requires them.
  public var credentials: UserCredentials?

  /// Creates a proxy.
  public init(host: String, port: Int, credentials: UserCredentials? = nil) {
    self.host = host
    self.port = port
    self.credentials = credentials
  }

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

/// The proxies that environment variables name, as curl and Go read them.
///
/// `https_proxy` is for `https`, `http_proxy` for `http`, `all_proxy` for schemes without a
/// variable of their own, and ``NoProxyList`` parses `no_proxy`. Lower case takes precedence over
/// upper case; an empty variable counts as absent. `HTTP_PROXY` is ignored if `REQUEST_METHOD` is
/// set, because a CGI server creates it from a client's `Proxy` header (httpoxy, CVE-2016-5385).
/// ``Proxy/init(parsing:)`` documents the form of a value.
package struct ProxyEnvironment: Sendable {
  private let proxies: [String: Result<Proxy, SessionError>]
  private let exceptions: NoProxyList

  /// Reads environment variables; a malformed one is an error for the requests that need it.
  package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    func first(_ names: [String]) -> (name: String, value: String)? {
      for name in names {
        let value = environment[name]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        if !value.isEmpty { return (name, value) }
      }
      return nil
    }
    let isCGI = environment["REQUEST_METHOD"] != nil
    let all = ["all_proxy", "ALL_PROXY"]
    let variables = [
      "http": (isCGI ? ["http_proxy"] : ["http_proxy", "HTTP_PROXY"]) + all,
      "https": ["https_proxy", "HTTPS_PROXY"] + all,
    ]
    proxies = variables.compactMapValues { names in
      first(names).map { name, value in
        Result { () throws(SessionError) in try Proxy(parsing: value) }
          .mapError { $0.naming(name) }
      }
    }
    exceptions = NoProxyList(first(["no_proxy", "NO_PROXY"])?.value ?? "")
  }

  /// Returns the proxy for a URL; `nil` means a direct connection.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if the variable for this URL cannot be
  ///   used; the reason contains the variable's name and nothing of its value.
  package func proxy(for url: URL) throws(SessionError) -> Proxy? {
    guard let origin = Origin(url), !exceptions.contains(origin) else { return nil }
    return try proxies[origin.scheme]?.get()
  }
}

extension SessionError {
  fileprivate func naming(_ variable: String) -> SessionError {
    guard case .invalidRequest(let reason) = self else { return self }
    return .invalidRequest(reason: "the environment variable \(variable): \(reason)")
  }
}
