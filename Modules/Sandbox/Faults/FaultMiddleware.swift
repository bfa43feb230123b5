import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

final class FaultPlan: Sendable {
  private let armed: Mutex<[Fault]>

  init(_ faults: [Fault] = []) {
    armed = Mutex(faults)
  }

  func arm(_ faults: [Fault]) {
    armed.withLock { $0 += faults }
  }

  func clear() {
    armed.withLock { $0.removeAll() }
  }

  func next(for path: String, of organisation: String? = nil) -> Fault? {
    armed.withLock { armed in
      for index in armed.indices where armed[index].matches(path, of: organisation) {
        guard armed[index].skip == 0 else {
          armed[index].skip -= 1
          continue
        }
        let fault = armed[index]
        armed[index].times -= 1
        if armed[index].times == 0 { armed.remove(at: index) }
        return fault
      }
      return nil
    }
  }
}

struct FaultMiddleware: RouterMiddleware {
  let state: SandboxState

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    guard !request.isControl,
      let fault = state.faults.next(for: request.path, of: request.organisation)
    else {
      return try await next(request, context)
    }
    state.counter.faultApplied()
    if fault.delayMilliseconds > 0 {
      let delay = Duration.milliseconds(fault.delayMilliseconds)
      try await context.pause(for: delay, in: state.connections)
    }
    switch fault.kind {
    case .status:
      return Response(text: fault.body ?? "", status: fault.answerStatus(or: 500))
        .adding(fault.headers)
    case .html:
      return Response(html: fault.body ?? Self.portal, status: fault.answerStatus(or: 200))
        .adding(fault.headers)
    case .delay:
      return try await next(request, context).adding(fault.headers)
    case .truncate:
      return try await next(request, context).adding(fault.headers).truncated()
    case .trickle:
      return try await next(request, context).adding(fault.headers).trickling {
        try await context.pause(for: .seconds(1), in: state.connections)
      }
    case .malformed:
      return try await next(request, context).adding(fault.headers).halved()
    case .flip:
      return try await next(request, context).adding(fault.headers).flipped()
    case .replace:
      let answer = try await next(request, context)
      let status = fault.answerStatus(or: answer.status.code)
      return Response(json: Array((fault.body ?? "").utf8), status: status).adding(fault.headers)
    case .reset:
      throw await context.drop(resetting: true)
    case .commitThenDrop:
      _ = try await next(request, context)
      throw await context.drop(resetting: false)
    }
  }

  private static let portal = """
    <!doctype html><html><head><title>Welcome</title></head>
    <body><p>Please accept the terms of this network.</p></body></html>
    """
}

extension Fault {
  fileprivate func answerStatus(or ownStatus: Int) -> HTTPResponse.Status {
    HTTPResponse.Status(code: status ?? ownStatus)
  }
}

extension Response {
  private struct Truncated: Error {}

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

  /// Returns the same response, whose body arrives one byte after the other with pauses; once a
  /// pause is ended early, the rest follows immediately.
  func trickling(
    _ pause: @escaping @Sendable () async throws -> PauseEnd
  ) async throws -> Response {
    let whole = try await collected()
    let body = ResponseBody(contentLength: whole.readableBytes) { writer in
      var rest = whole
      while let byte = rest.readSlice(length: 1) {
        try await writer.write(byte)
        if try await pause() == .early { break }
      }
      try await writer.write(rest)
    }
    return replacing(body)
  }

  /// Returns the same response with the first half of the body, which is complete in terms of HTTP.
  func halved() async throws -> Response {
    let whole = try await collected()
    let half = whole.getSlice(at: whole.readerIndex, length: whole.readableBytes / 2)
    return replacing(ResponseBody(byteBuffer: half ?? ByteBuffer()))
  }

  /// Returns the same response with another byte in the middle of its body.
  func flipped() async throws -> Response {
    var whole = try await collected()
    let middle = (whole.readerIndex + whole.writerIndex) / 2
    if let byte = whole.getInteger(at: middle, as: UInt8.self) {
      whole.setInteger(byte ^ 1, at: middle)
    }
    return replacing(ResponseBody(byteBuffer: whole))
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

struct LatencyMiddleware: RouterMiddleware {
  let state: SandboxState

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    let latency = state.configuration.latency
    if latency > .zero, !request.isControl {
      try await context.pause(for: latency, in: state.connections)
    }
    return try await next(request, context)
  }
}
