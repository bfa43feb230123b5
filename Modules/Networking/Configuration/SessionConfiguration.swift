public import HTTPTypes

/// The configuration of a session; the names are those of the configuration file.
public struct SessionConfiguration: Sendable, Equatable {
  /// Bounds on time.
  public struct Timeouts: Sendable, Equatable {
    /// Until a connection stands, TLS included.
    public var connect = Duration.seconds(10)
    /// Between two pieces of a response.
    public var idle = Duration.seconds(30)
    /// For one attempt as a whole: credentials, connection, head and body; not for its permit.
    public var request = Duration.seconds(60)
    /// For everything, waiting for a permit, attempts and waits between them; `nil` is no bound.
    public var operation: Duration?
  }

  /// The limits on connections.
  public struct Connections: Sendable, Equatable {
    /// The number of concurrent requests to one server, each on its own connection; `nil` is as
    /// many as the session runs.
    public var perHost: Int?
    /// The time for which an unused connection is kept; many servers close theirs after 60 s or
    /// more.
    public var keepAlive = Duration.seconds(50)
  }

  /// The treatment of redirects.
  public enum RedirectPolicy: Sendable, Equatable {
    /// It is returned as it is.
    case none
    /// It is followed, at most so many times; never from `https` to `http`.
    case follow(max: Int)
  }

  /// The oldest version of TLS that is spoken.
  public enum TLSVersion: String, Sendable {
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"
  }

  /// Bounds on time.
  public var timeout = Timeouts()
  /// The number of concurrent operations; the others wait for a permit.
  public var concurrency = 4
  /// The published rate limits; each of them is kept, and without any
  /// they are sent as often as wanted.
  public var rateLimits: [RateLimit] = []
  /// The limits on connections.
  public var connections = Connections()
  /// The limits on sending a request again.
  public var retry = RetryPolicy()
  /// The treatment of redirects.
  public var redirects = RedirectPolicy.follow(max: 5)
  /// The largest body that is read as a whole, in bytes after decompression.
  public var maximumResponseSize = 64 << 20
  /// The greatest factor by which decompression may enlarge a body.
  ///
  /// Text seldom passes 30; a bomb comes near 1 000, the most that the format can do.
  public var maximumDecompressionRatio = 200
  /// The way to the servers.
  public var proxy = ProxyPolicy.environment
  /// The oldest version of TLS that is spoken.
  public var minimumTLSVersion = TLSVersion.tls12
  /// Files with certificates (PEM) of authorities to trust beside the system's.
  public var extraCACertificates: [String] = []
  /// Fields of every request that has none of the same name.
  public var headers: HTTPFields = [:]
  /// The `User-Agent`.
  public var userAgent = "appcore/0.1"

  /// Creates a configuration of defaults.
  public init() {}
}
