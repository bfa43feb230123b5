/// The way that a session's connections take.
public enum ProxyPolicy: Sendable, Hashable {
  /// Through the proxies that the environment names: `https_proxy`, `http_proxy`, `all_proxy`,
  /// and directly to what `no_proxy` lists.
  case environment
  /// Always directly.
  case none
  /// Always through this one.
  case server(Proxy)
}

/// A proxy that opens tunnels, also for `http` (`CONNECT`, RFC 9110 section 9.3.6); many allow that
/// to the ports of `https` alone.
public struct Proxy: Sendable, Hashable {
  /// Its host name or address.
  public var host: String
  /// Its port.
  public var port: Int
  /// The credentials that it asks for, if it does.
  public var credentials: UserCredentials?

  /// Creates a proxy.
  public init(host: String, port: Int, credentials: UserCredentials? = nil) {
    self.host = host
    self.port = port
    self.credentials = credentials
  }
}
