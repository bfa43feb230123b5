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
}
