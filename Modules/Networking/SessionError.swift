/// The reason why a request has no response, one case for each way to recover.
public enum SessionError: Error, Sendable {
  /// The request cannot be sent in this form.
  case invalidRequest(reason: String)
  /// The credentials were made for other origins.
  case credentialsRefused(origin: Origin?)
  /// The credentials are valid but were granted too little (RFC 6750 section 3.1).
  ///
  /// `needed` is the scope that the server names.
  case insufficientScope(needed: String?, origin: Origin?)
  /// No connection could be made; nothing was sent.
  case connectionFailed(origin: Origin?, underlying: any Error)
  /// The connection ended too early; the server may have received the request.
  case connectionLost(origin: Origin?, underlying: any Error)
  /// The time limit was reached.
  case timedOut(phase: Phase, origin: Origin?)
  /// The server could not prove its identity in the TLS handshake; nothing was sent.
  case untrustedServer(origin: Origin?, underlying: any Error)
  /// The proxy requires credentials, or other ones.
  case proxyAuthenticationRequired
  /// The body is larger than the session allows.
  case responseTooLarge(limit: Int)
  /// The body grows more by decompression than the session allows.
  case decompressionRefused(ratio: Int)
  /// The request would have to be sent again, but its body can be read only once.
  case bodyNotReplayable(origin: Origin?)
  /// A redirect leads to a target that is not allowed.
  case redirectRefused(reason: String, from: Origin?, to: Origin?)
  /// The server's response is not HTTP.
  case malformedResponse(origin: Origin?, underlying: any Error)
  /// The body does not have the expected form.
  case unexpectedBody(origin: Origin?, underlying: any Error)
  /// The published limit requires a longer wait than the request allows; nothing was sent.
  case rateLimited(retryAfter: Duration)
  /// The session's requests were cancelled.
  case cancelled(session: String)
  /// The session has been shut down.
  case closed(session: String)

  /// The part of an operation that took too long.
  public enum Phase: String, Sendable {
    /// Making the connection.
    case connect
    /// The next piece of the response.
    case idle
    /// One attempt as a whole.
    case request
    /// All attempts together.
    case operation
  }

  /// True if the same request may succeed later.
  public var isTransient: Bool {
    switch self {
    case .connectionFailed, .connectionLost, .timedOut, .rateLimited: true
    default: false
    }
  }
}

extension SessionError: CustomStringConvertible {
  /// A sentence for a log; it never contains a header, a query or a body.
  public var description: String {
    func place(_ origin: Origin?) -> String { origin.map(String.init(describing:)) ?? "the server" }
    return switch self {
    case .invalidRequest(let reason): "the request cannot be sent: \(reason)"
    case .credentialsRefused(let origin): "the credentials are not for \(place(origin))"
    case .insufficientScope(let needed, let origin):
      "\(place(origin)) wants a login that was granted more"
        + (needed.map { ": scope \(Self.printable($0))" } ?? "")
    case .connectionFailed(let origin, _): "\(place(origin)) cannot be reached"
    case .connectionLost(let origin, _): "the connection to \(place(origin)) was lost"
    case .timedOut(let phase, let origin): "\(place(origin)) took too long (\(phase.rawValue))"
    case .untrustedServer(let origin, _): "\(place(origin)) cannot prove over TLS who it is"
    case .proxyAuthenticationRequired: "the proxy asks for credentials, or refuses those it got"
    case .responseTooLarge(let limit): "the response is larger than \(limit) bytes"
    case .decompressionRefused(let ratio):
      "the response would become more than \(ratio) times larger by decompression"
    case .bodyNotReplayable(let origin):
      "\(place(origin)) wants the request once more, and its body can be sent only once"
    case .redirectRefused(let reason, let from, _):
      "a redirect of \(place(from)) was refused: \(reason)"
    case .malformedResponse(let origin, _): "\(place(origin)) does not speak HTTP as it should"
    case .unexpectedBody(let origin, _): "\(place(origin)) sent another content than expected"
    case .rateLimited(let wait):
      "the published limit allows the next request in \(Int((wait / .seconds(1)).rounded(.up))) s"
    case .cancelled(let session): "the requests of the session '\(session)' were cancelled"
    case .closed(let session): "the session '\(session)' is closed"
    }
  }

  /// Truncates a server's text to what a message may contain.
  private static func printable(_ text: String) -> String {
    String(text.filter { $0.isASCII && !$0.isNewline && $0 >= " " }.prefix(200))
  }
}
