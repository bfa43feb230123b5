import Foundation
import HTTPTypes
import Networking
import Synchronization

/// The wire between a session and a server, which injects faults at chosen requests.
final class FaultyWire: Middleware {
  /// A kind of fault.
  enum Fault: Sendable {
    /// This response is returned, and the server is not asked.
    case answer(Int, HTTPFields = [:], body: String = "")
    /// The body of the server's response is changed.
    case alter(@Sendable ([UInt8]) -> [UInt8])
    /// The connection is lost before the response.
    case loss
    /// No response ever arrives.
    case silence
  }

  private struct Lost: Error {}

  private struct State {
    var requests = 0
    var origins: Set<Origin> = []
    var fault: Fault?
    var numbers = 1...1
    var before: (@Sendable (_ number: Int) async throws -> Void)?
    var isSilenced = false
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  /// Number of requests since the count was last restarted, including retries.
  var requests: Int { state.withLock { $0.requests } }

  /// The servers that the requests were sent to.
  var origins: Set<Origin> { state.withLock { $0.origins } }

  /// Restarts the count, and applies a fault to the requests with the given numbers, counted from
  /// 1.
  func apply(_ fault: Fault, at numbers: ClosedRange<Int> = 1...Int.max) {
    state.withLock {
      $0.requests = 0
      ($0.fault, $0.numbers) = (fault, numbers)
    }
  }

  /// Restarts the count, and lets every request pass.
  func clear() {
    state.withLock {
      $0.requests = 0
      ($0.fault, $0.before) = (nil, nil)
    }
  }

  /// Runs `edit` before each request, to simulate edits by other people.
  func before(_ edit: @escaping @Sendable (_ number: Int) async throws -> Void) {
    state.withLock { $0.before = edit }
  }

  /// Waits until a request meets ``Fault/silence``, or ``wake()`` is called.
  func silence() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    state.withLock { state in
      if state.isSilenced { continuation.finish() } else { state.waiting.append(continuation) }
    }
    for await _ in stream {}
  }

  /// Ends all waits in ``silence()``.
  func wake() {
    let waiting = state.withLock { state in
      state.isSilenced = true
      return state.waiting
    }
    for continuation in waiting { continuation.finish() }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let (number, fault, before) = state.withLock { state in
      state.requests += 1
      if let origin = Origin(request.url) { state.origins.insert(origin) }
      let isMet = state.numbers.contains(state.requests)
      return (state.requests, isMet ? state.fault : nil, state.before)
    }
    try await before?(number)
    switch fault {
    case nil: return try await next.send(request)
    case .answer(let status, let fields, let body):
      return StreamingResponse(
        head: HTTPResponse(status: .init(code: status), headerFields: fields),
        body: ResponseBody(Array(body.utf8)), url: request.url)
    case .alter(let alter):
      let response = try await next.send(request)
      let body = try await response.body.collect(upTo: 64 << 20)
      var head = response.head
      head.headerFields[.contentLength] = nil
      return StreamingResponse(head: head, body: ResponseBody(alter(body)), url: response.url)
    case .loss:
      throw SessionError.connectionLost(origin: Origin(request.url), underlying: Lost())
    case .silence:
      wake()
      // This stream has no elements and ends only on cancellation.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
  }
}
