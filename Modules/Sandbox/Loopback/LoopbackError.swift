/// Why an exchange with a loopback server failed.
package enum LoopbackError: Error, Hashable {
  /// The address is not `http://` on this machine; nothing was sent.
  case notLoopback
  /// Nobody listens there.
  case cannotConnect(errorNumber: CInt)
  /// The connection ended before the whole answer was there; `wasReset` for a TCP reset.
  case connectionLost(wasReset: Bool)
  /// The answer did not come in time.
  case timedOut
  /// The answer is not HTTP/1.
  case malformedAnswer
}

extension LoopbackError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notLoopback: "only http:// addresses on 127.0.0.1, [::1] or localhost are opened"
    case .cannotConnect(let number): "cannot connect (errno \(number))"
    case .connectionLost(let wasReset):
      wasReset ? "the connection was reset" : "the connection was closed too early"
    case .timedOut: "the answer did not come in time"
    case .malformedAnswer: "the answer is not HTTP"
    }
  }
}
