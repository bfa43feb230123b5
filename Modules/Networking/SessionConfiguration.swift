public import HTTPTypes
import SystemSupport

/// The configuration of a session; its names are those of the configuration file.
public struct SessionConfiguration: Sendable, Equatable {
  /// The time limits.
  public struct Timeouts: Sendable, Equatable {
    /// The limit for making a connection, TLS included.
    public var connect = Duration.seconds(10)
    /// The limit between two pieces of a response.
    public var idle = Duration.seconds(30)
    /// The limit for one attempt: credentials, connection, head and body, but not its wait for a
    /// permit.
    public var request = Duration.seconds(60)
    /// The limit for everything: waiting for a permit, attempts and the waits between them; `nil`
    /// is no limit.
    public var operation: Duration?
  }

  /// The limits on connections.
  public struct Connections: Sendable, Equatable {
    /// The number of concurrent requests to one server, each on its own connection; `nil` means as
    /// many as the session allows.
    public var perHost: Int?
    /// The time for which an unused connection stays open; many servers close theirs after 60 s or
    /// more.
    public var keepAlive = Duration.seconds(50)
  }

  /// The treatment of redirects.
  public enum RedirectPolicy: Sendable, Equatable {
    /// Redirects are returned as they are.
    case none
    /// Redirects are followed, at most `max` times; never from `https` to `http`.
    case follow(max: Int)
  }

  /// The oldest version of TLS that is accepted.
  public enum TLSVersion: String, Sendable {
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"
  }

  /// The time limits.
  public var timeout = Timeouts()
  /// The number of concurrent operations; other operations wait for a permit.
  public var concurrency = 4
  /// The published rate limits; the session keeps all of them.
  ///
  /// Without any limit, it sends requests immediately.
  public var rateLimits: [RateLimit] = []
  /// True if the session leaves room to the account's other sessions: a fifth of each published
  /// limit of an hour or more, and the permits for concurrent requests.
  public var isBackground = false
  /// The limits on connections.
  public var connections = Connections()
  /// The limits on retries.
  public var retry = RetryPolicy()
  /// The treatment of redirects.
  public var redirects = RedirectPolicy.follow(max: 5)
  /// The largest body that is read as a whole, in bytes after decompression.
  ///
  /// Of the body of an error, at most the first MiB is read.
  public var maximumResponseSize = 64 << 20
  /// The largest factor by which decompression may enlarge a body.
  ///
  /// Text rarely exceeds 30; a decompression bomb comes near 1 000, the most that the format
  /// allows.
  public var maximumDecompressionRatio = 200
  /// The choice of proxies.
  public var proxy = ProxyPolicy.environment
  /// The oldest version of TLS that is accepted.
  public var minimumTLSVersion = TLSVersion.tls12
  /// The files with certificates (PEM) of authorities that are trusted in addition to the system's.
  public var extraCACertificates: [String] = []
  /// The header fields that are added to each request that has none of the same name.
  public var headers: HTTPFields = [:]
  /// The value of `User-Agent`.
  public var userAgent = "appcore/0.1"

  /// Creates the default configuration.
  public init() {}

  /// The limits on retries.
  public struct RetryPolicy: Sendable, Equatable {
    /// The largest number of times that a request is sent, including the first.
    public var attempts = 4
    /// The longest single wait; if the server asks for more, the session returns its response
    /// immediately.
    public var maxWait = Duration.seconds(60)
    /// The longest total of all waits of one operation.
    public var totalWait = Duration.seconds(180)
    /// The upper bound of the first wait; it doubles each time.
    public var baseDelay = Duration.milliseconds(500)

    /// Returns the wait after a number of attempts.
    ///
    /// With full jitter, it is a random time between zero and a bound that doubles, so that clients
    /// do not retry at the same time.
    func backoff(after attempts: Int, _ clock: TimeSource) -> Duration {
      min(baseDelay * (1 << min(attempts - 1, 16)), maxWait) * clock.random()
    }
  }
}
