public import ErrorCodes
public import Foundation
import SystemSupport

/// The reason why a request has no response, one case for each way to recover.
public enum SessionError: Error, Sendable {
  /// The request cannot be sent in this form.
  case invalidRequest(reason: String)
  /// The credentials were made for other origins.
  case credentialsRefused(origin: Origin?)
  /// The credentials are valid but were granted too little (RFC 6750 section 3.1).
  ///
  /// `needed` is the scope that the server names, `message` are its own words.
  case insufficientScope(needed: String?, origin: Origin?, message: ProviderMessage? = nil)
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
  /// The published limit requires a longer wait than the request allows, and nothing was sent; or
  /// the server of a download asks for a longer wait.
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

extension SessionError: ProviderMessageCarrying {
  /// The server's own words, if the error is about one of its answers.
  public var providerMessage: ProviderMessage? {
    if case .insufficientScope(_, _, let message) = self { message } else { nil }
  }
}

extension SessionError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .untrustedServer: .untrustedServer
    case .proxyAuthenticationRequired: .proxyCredentials
    case .malformedResponse, .responseTooLarge, .decompressionRefused, .unexpectedBody:
      .unreadableData
    case .credentialsRefused, .redirectRefused, .invalidRequest: .addressRefused
    case .insufficientScope: .insufficientScope
    case .rateLimited: .rateLimited
    case .cancelled: .interrupted
    case .closed, .bodyNotReplayable: .bug
    case .connectionFailed, .connectionLost, .timedOut: .serverUnavailable
    }
  }

  /// A sentence for a log; it never contains a header, a query or a body.
  public var description: String {
    func place(_ origin: Origin?) -> String { origin.map(String.init(describing:)) ?? "the server" }
    return switch self {
    case .invalidRequest(let reason): "cannot send the request: \(reason)"
    case .credentialsRefused(let origin):
      "refused to send the login to \(place(origin)): it is for another server"
    case .insufficientScope(let needed, let origin, _):
      "\(place(origin)) requires a permission that this login lacks"
        + (needed.map { ": scope \(Self.printable($0))" } ?? "")
    case .connectionFailed(let origin, let underlying):
      "cannot reach \(place(origin))"
        + (ConnectionCause(underlying).map { " (\($0.rawValue))" } ?? "")
    case .connectionLost(let origin, _): "lost the connection to \(place(origin))"
    case .timedOut(.connect, let origin): "cannot reach \(place(origin)) (timed out)"
    case .timedOut(.idle, let origin): "\(place(origin)) stopped responding"
    case .timedOut(.request, let origin): "\(place(origin)) did not respond in time"
    case .timedOut(.operation, let origin):
      "\(place(origin)) did not respond in time, in all attempts together"
    case .untrustedServer(let origin, _): "cannot verify the TLS certificate of \(place(origin))"
    case .proxyAuthenticationRequired:
      "the proxy requires a user name and a password, or rejected them"
    case .responseTooLarge(let limit): "the response exceeds \(limit) bytes"
    case .decompressionRefused(let ratio):
      "the response expands to more than \(ratio) times its size when decompressed"
    case .bodyNotReplayable(let origin):
      "\(place(origin)) requires the request again, but its body can be sent only once"
    case .redirectRefused(let reason, let from, _):
      "refused a redirect from \(place(from)): \(reason)"
    case .malformedResponse(let origin, _): "\(place(origin)) sent an invalid HTTP response"
    case .unexpectedBody(let origin, _): "\(place(origin)) sent a response in an unexpected format"
    case .rateLimited(let wait):
      "the provider's rate limit allows the next request in "
        + "\(Int(clamping: wait / .seconds(1), rounding: .up)) s"
    case .cancelled(let session): "the requests of session '\(session)' were cancelled"
    case .closed(let session): "session '\(session)' is closed"
    }
  }

  /// Truncates a server's text to what a message may contain.
  private static func printable(_ text: String) -> String {
    String(text.filter { $0.isASCII && !$0.isNewline && $0 >= " " }.prefix(200))
  }
}

extension SessionError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem; `nil` if there is nothing to solve.
  public var recoverySuggestion: String? {
    switch self {
    case .connectionFailed, .connectionLost, .timedOut: "Check the network and try again."
    case .untrustedServer:
      "Check the address. For a private certificate authority, configure its certificate."
    case .proxyAuthenticationRequired:
      "Set the environment variable https_proxy=http://USER:PASSWORD@HOST:PORT."
    case .malformedResponse, .responseTooLarge, .decompressionRefused, .unexpectedBody:
      "Try again. If it happens again, a proxy may change the response."
    case .credentialsRefused, .redirectRefused, .invalidRequest:
      "Check the provider's addresses in the configuration."
    case .insufficientScope: "Sign in again and grant the missing permission."
    case .rateLimited: "Nothing was sent. Try again after that time."
    case .cancelled, .closed, .bodyNotReplayable: nil
    }
  }
}
