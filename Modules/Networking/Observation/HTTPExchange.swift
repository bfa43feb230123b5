import SystemSupport

/// One request on the wire and its outcome; it contains nothing secret.
public struct HTTPExchange: Sendable {
  /// The outcome of a request.
  public enum Outcome: Sendable {
    /// A response arrived, with this status.
    case response(status: Int)
    /// No response arrived.
    case failure(any Error)
  }

  /// The session.
  public let session: String
  /// The method.
  public let method: String
  /// The URL, without the parts of its query that can be secret; see `LoggableURL`.
  public let url: String
  /// The number of the attempt within the operation, from 1.
  public let attempt: Int
  /// The outcome.
  public let outcome: Outcome
  /// The words of a server that refused the request.
  public var providerMessage: ProviderMessage?
  /// The size of the body that was read, after decompression; `nil` if it is streamed.
  public let bodySize: Int?
  /// The operation's wait for its permit and rate limit, over all attempts.
  public let waitedForPermit: Duration
  /// The operation's wait for credentials.
  public let waitedForCredentials: Duration
  /// The time from sending until the response's head arrived.
  public let untilHead: Duration?
  /// The time from sending until the end, or until the head of a streamed response.
  public let duration: Duration
}

extension HTTPExchange: CustomStringConvertible {
  /// One line for the user: `GET https://host/path 200, 12.3 ms (head 11.9 ms), 1204 bytes`.
  public var description: String {
    var parts: [String] = []
    switch outcome {
    case .response(let status): parts.append("\(method) \(url) \(status)")
    case .failure(let error): parts.append("\(method) \(url) failed: \(error)")
    }
    parts.append(
      Self.text(duration) + (untilHead.map { " (head \(Self.text($0)))" } ?? ""))
    if let bodySize { parts.append("\(bodySize) bytes") }
    if let providerMessage { parts.append("message: \(providerMessage)") }
    if attempt > 1 { parts.append("attempt \(attempt)") }
    if waitedForPermit > .milliseconds(1) { parts.append("permit \(Self.text(waitedForPermit))") }
    if waitedForCredentials > .milliseconds(1) {
      parts.append("credentials \(Self.text(waitedForCredentials))")
    }
    return parts.joined(separator: ", ")
  }

  private static func text(_ duration: Duration) -> String {
    let tenths = Int(clamping: duration / .microseconds(100))
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
