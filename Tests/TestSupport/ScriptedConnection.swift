import NIOCore
import NIOPosix

/// One connection to a ``ScriptedServer``, as its script sees it.
package final class ScriptedConnection {
  /// Which connection of the server this is, counted from 0.
  package let number: Int

  private let server: ScriptedServer
  private let channel: any Channel
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var received: [UInt8] = []

  init(
    number: Int, server: ScriptedServer, channel: any Channel,
    inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
    outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.number = number
    self.server = server
    self.channel = channel
    self.outbound = outbound
    self.inbound = inbound.makeAsyncIterator()
  }

  /// Reads the next request, its body included, and records it.
  ///
  /// - Throws: ``ScriptedRequestError``, also where the client closes instead.
  @discardableResult
  package func readRequest() async throws -> ScriptedRequest {
    let end = Array("\r\n\r\n".utf8)
    while received.firstRange(of: end) == nil { try await readMore() }
    guard let range = received.firstRange(of: end) else {
      throw ScriptedRequestError.endOfConnection
    }
    let head = String(decoding: received[..<range.lowerBound], as: UTF8.self)
    received.removeSubrange(..<range.upperBound)
    var request = try ScriptedRequest(head: head, connection: number)
    let length = request.contentLength
    while received.count < length { try await readMore() }
    request.body = Array(received.prefix(length))
    received.removeFirst(length)
    server.record(request)
    return request
  }

  /// Sends these bytes as they are.
  package func send(_ bytes: [UInt8]) async throws {
    try await outbound.write(ByteBuffer(bytes: bytes))
  }

  /// Sends this text as it is; the lines of a head end in `\r\n`.
  package func send(_ text: String) async throws {
    try await send(Array(text.utf8))
  }

  /// Sends a whole response with a `Content-Length`.
  package func respond(
    _ status: Int, _ fields: [String: String] = [:], body: [UInt8] = []
  ) async throws {
    var head = "HTTP/1.1 \(status) Scripted\r\n"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
    try await send(Array((head + "\r\n").utf8) + body)
  }

  /// Sends a whole response with a text for a body.
  package func respond(_ status: Int, _ fields: [String: String] = [:], text: String) async throws {
    try await respond(status, fields, body: Array(text.utf8))
  }

  /// Says that nothing more comes, and goes on listening.
  package func closeOutput() {
    outbound.finish()
  }

  /// Ends the connection with a TCP reset.
  package func reset() async throws {
    if let options = channel as? any SocketOptionProvider {
      try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try await channel.close().get()
  }

  /// Returns when the client has closed its end.
  package func waitForClose() async throws {
    do {
      while true { try await readMore() }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // A reset is an end as well.
    }
    server.recordClose(of: number)
  }

  private func readMore() async throws {
    guard let part = try await inbound.next(isolation: #isolation) else {
      try Task.checkCancellation()
      throw ScriptedRequestError.endOfConnection
    }
    received.append(contentsOf: part.readableBytesView)
  }
}
