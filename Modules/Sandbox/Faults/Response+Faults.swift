import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// The reason why a body stops before its end.
  private struct Truncated: Error {}

  /// Returns the response with added headers; existing ones with the same name are replaced.
  func adding(_ headers: [String: String]) -> Response {
    var response = self
    for (name, value) in headers {
      guard let name = HTTPField.Name(name) else { continue }
      response.headers[name] = value
    }
    return response
  }

  /// Returns the same response, whose connection ends after half of the announced body.
  func truncated() async throws -> Response {
    let whole = try await collected()
    let half = whole.getSlice(at: whole.readerIndex, length: whole.readableBytes / 2)
    // The announced length must exceed the sent one, even if the body is empty.
    let body = ResponseBody(contentLength: max(1, whole.readableBytes)) { writer in
      if let half { try await writer.write(half) }
      throw Truncated()
    }
    return replacing(body)
  }

  /// Returns the same response with the first half of the body, which is complete in terms of HTTP.
  func halved() async throws -> Response {
    let whole = try await collected()
    let half = whole.getSlice(at: whole.readerIndex, length: whole.readableBytes / 2)
    return replacing(ResponseBody(byteBuffer: half ?? ByteBuffer()))
  }

  private func replacing(_ body: ResponseBody) -> Response {
    var headers = headers
    headers[.contentLength] = nil
    return Response(status: status, headers: headers, body: body)
  }

  private func collected() async throws -> ByteBuffer {
    let collected = CollectedBytes()
    try await body.write(BodyCollector(collected: collected))
    return await collected.bytes
  }
}

/// A writer that collects a body in memory.
///
/// It is no actor itself: Swift 6.3.1 crashes when it optimizes an actor's consuming method.
private struct BodyCollector: ResponseBodyWriter {
  let collected: CollectedBytes

  func write(_ buffer: ByteBuffer) async { await collected.append(buffer) }

  consuming func finish(_ trailingHeaders: HTTPFields?) {}
}

private actor CollectedBytes {
  private(set) var bytes = ByteBuffer()

  func append(_ buffer: ByteBuffer) { bytes.writeImmutableBuffer(buffer) }
}
