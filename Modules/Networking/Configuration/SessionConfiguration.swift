/// How a session behaves; the names are those of the configuration file.
public struct SessionConfiguration: Sendable, Equatable {
  /// Bounds on time.
  public struct Timeouts: Sendable, Equatable {
    /// Until a connection stands, TLS included.
    public var connect = Duration.seconds(10)
    /// Between two pieces of a response.
    public var idle = Duration.seconds(30)
    /// For one attempt as a whole: credentials, connection, head and body.
    public var request = Duration.seconds(60)
    /// For everything, attempts and waits between them; `nil` is no bound of its own.
    public var operation: Duration?
  }

  /// When a request is sent again.
  public struct RetryPolicy: Sendable, Equatable {
    /// How often it is sent at the most, the first time included.
    public var attempts = 4
    /// The longest single wait; where the server asks for more, its answer is returned at once.
    public var maxWait = Duration.seconds(60)
    /// The upper end of the first wait; it doubles each time.
    public var baseDelay = Duration.milliseconds(500)
  }

  /// What is done with a redirect.
  public enum RedirectPolicy: Sendable, Equatable {
    /// It is returned as it is.
    case none
    /// It is followed, at most so many times; never from `https` to `http`.
    case follow(max: Int)
  }

  /// Bounds on time.
  public var timeout = Timeouts()
  /// How many requests run at once; the others wait their turn.
  public var concurrency = 4
  /// When a request is sent again.
  public var retry = RetryPolicy()
  /// What is done with redirects.
  public var redirects = RedirectPolicy.follow(max: 5)
  /// The largest body, in bytes after decompression.
  public var maximumResponseSize = 64 << 20
  /// The `User-Agent`.
  public var userAgent = "appcore/0.1"
  /// Files with certificates (PEM) of authorities to trust beside the system's.
  public var extraCACertificates: [String] = []

  /// Creates a configuration of defaults.
  public init() {}
}
