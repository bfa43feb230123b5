import SystemSupport

/// A small HTTP/1.1 client for servers on this machine: one request, one connection, no redirects.
///
/// It stands for the person's browser where there is none. It never leaves the machine.
package struct LoopbackClient: Sendable {
  private let timeout: Duration

  /// - Parameter timeout: how long each wait for bytes may take.
  package init(timeout: Duration = .seconds(30)) {
    self.timeout = timeout
  }

  /// Sends a request and takes the whole answer.
  ///
  /// - Throws: ``LoopbackError``.
  package func send(
    _ method: String,
    _ url: String,
    headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> LoopbackResponse {
    let address = try LoopbackAddress(url)
    var head = "\(method) \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\n"
    head += "Connection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
    let message = Array((head + "\r\n" + (body ?? "")).utf8)
    let timeout = timeout
    return try await BlockingWork.run {
      let socket = try LoopbackSocket(address, timeout: timeout)
      try socket.write(message)
      var parser = LoopbackResponseParser(socket)
      return try parser.response()
    }
  }
}
