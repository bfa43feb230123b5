import Foundation
import HTTPTypes
import Networking
import Synchronization

/// The wire between a session and a server, on which things go wrong at chosen requests.
final class FaultyWire: Middleware {
  /// What goes wrong.
  enum Fault: Sendable {
    /// The server is not asked; the answer is this one.
    case answer(Int, HTTPFields = [:], body: String = "")
    /// The server's answer is changed.
    case alter(@Sendable ([UInt8]) -> [UInt8])
    /// The connection is lost before the answer.
    case loss
    /// No answer ever comes.
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

  /// How many requests came since it was cleared, repeated ones included.
  var requests: Int { state.withLock { $0.requests } }

  /// Which servers they were for.
  var origins: Set<Origin> { state.withLock { $0.origins } }

  /// Counts anew, and lets everything pass but for some requests, counted from 1.
  func apply(_ fault: Fault, at numbers: ClosedRange<Int> = 1...Int.max) {
    state.withLock {
      $0.requests = 0
      ($0.fault, $0.numbers) = (fault, numbers)
    }
  }

  /// Counts anew, and lets everything pass.
  func clear() {
    state.withLock {
      $0.requests = 0
      ($0.fault, $0.before) = (nil, nil)
    }
  }

  /// Does something before each request is carried out, as other people's edits are done.
  func before(_ edit: @escaping @Sendable (_ number: Int) async throws -> Void) {
    state.withLock { $0.before = edit }
  }

  /// Waits until a request is met with silence, or ``wake()``.
  func silence() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    state.withLock { state in
      if state.isSilenced { continuation.finish() } else { state.waiting.append(continuation) }
    }
    for await _ in stream {}
  }

  /// Wakes those that wait for silence.
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
      // It has no elements and no end but cancellation.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
  }
}
