/// The actions of a ``FaultServer``, and their times.
package struct FaultScript: Sendable {
  /// One thing that is done with a connection; the next one begins when it is done.
  package enum Step: Sendable {
    /// Sends bytes as fast as the client takes them.
    case send(Bytes)
    /// Sends bytes as they are, below TLS, where they are no record that the client can read.
    case sendBelowTLS(Bytes)
    /// Sends one byte, and another one whenever the time has passed.
    case sendSlowly(Bytes, every: Duration)
    /// Sends the same bytes again and again; without `times` until the client leaves.
    case `repeat`(Bytes, times: Int? = nil)
    /// Waits; the gate has to be opened before the test ends.
    case pause(until: Gate)
    /// Opens a gate, to let a test know that it has come this far.
    case open(Gate)
    /// Does nothing more until the client leaves or the server is stopped.
    case hang
    /// Ends the sending direction of TCP, over TLS without its notice of the end.
    case halfClose
    /// Ends the connection with RST in place of FIN.
    case reset
    /// Ends the connection, over TLS with its notice of the end.
    case close
  }

  /// True if connections can be made at all; otherwise attempts get no answer, not even a refusal.
  package var isReachable = true
  /// True if the address is one of `https` although the server has no TLS.
  package var claimsTLS = false
  /// The steps before anything is read.
  package var onConnect: [Step] = []
  /// The steps after a request for a path, whatever its query.
  package var paths: [String: [Step]] = [:]
  /// The steps after all other requests, whatever their connection: one list for each request, the
  /// last list for all that follow.
  package var responses: [[Step]]
  /// The steps after a request with this text; it comes before ``paths`` and ``responses``.
  var answering: (@Sendable (String) -> [Step])?

  /// Answers requests by their path, and all others in one way.
  package init(_ paths: [String: [Step]] = [:], otherwise: [Step] = [.ok]) {
    self.paths = paths
    responses = [otherwise]
  }

  /// Answers one request after the other.
  package init(responses: [[Step]]) {
    self.responses = responses
  }

  /// Answers each request as a function of its text says.
  package init(answering: @escaping @Sendable (String) -> [Step]) {
    self.answering = answering
    responses = []
  }

  /// Does something before anything is read, and then nothing more.
  package init(onConnect: [Step]) {
    self.onConnect = onConnect
    responses = []
  }
}

extension FaultScript.Step {
  /// A good answer, after which the connection can be used again.
  package static let ok = response(body: "ok")

  /// An answer with the right length.
  ///
  /// - Parameter fields: whole lines, without their ends.
  package static func response(
    _ status: String = "200 OK", fields: [String] = [], body: String = ""
  ) -> Self {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
    return .send(Bytes(head.joined(separator: "\r\n") + "\r\n\r\n" + body))
  }
}

/// Bytes, written as text where they are text.
package struct Bytes: Sendable, ExpressibleByStringInterpolation {
  package let values: [UInt8]

  package init(_ values: [UInt8]) {
    self.values = values
  }

  package init(_ text: String) {
    values = Array(text.utf8)
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }
}
