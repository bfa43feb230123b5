import Foundation
import HTTPTypes
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Networking

/// The results that a part delivers after its request was cancelled: nothing is sent, and nothing
/// is kept.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct LateArrivalTests {
  /// Answers by itself, with a body that is still to be read.
  private struct OwnAnswer: Middleware {
    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      guard request.url.path() == "/held" else { return try await next.send(request) }
      return StreamingResponse(
        head: HTTPResponse(status: .ok),
        body: ResponseBody(AsyncThrowingStream<[UInt8], any Error> { $0.finish() }),
        url: request.url)
    }
  }

  private func operation() -> Networking.Operation {
    let clock = TimeSource(ContinuousClock(), wall: { Date() }, random: { 1 })
    return Networking.Operation(tag: nil, clock: clock, watch: DeadlineScheduler(clock: clock))
  }

  @Test(
    "a link that goes on after the request was cancelled keeps no permit", arguments: [true, false])
  func permits(isStreamed: Bool) async throws {
    let link = HangingLink(path: "/held")
    let fixture = try await SessionFixture(
      FaultScript(), middleware: [link], networkMiddleware: [OwnAnswer()]
    ) { $0.concurrency = 1 }
    let request = try fixture.request(.get, "/held")
    let held = Task { [session = fixture.session] in
      if isStreamed {
        _ = try await session.stream(request)
      } else {
        _ = try await session.send(request)
      }
    }
    await link.entered.wait()
    held.cancel()
    await #expect(throws: CancellationError.self) { try await held.joined }
    link.gate.open()
    try await eventually("the link is done") { link.departures == 1 }
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
  }

  @Test("a wait reports the value if and only if it was taken")
  func waiting() async throws {
    for _ in 0..<100 {
      let operation = operation()
      let (taken, finished) = (Counter(), Gate())
      Task { operation.end(with: SessionError.cancelled(session: "x")) }
      var isTold = true
      do {
        try await operation.wait {
          taken.increment()
          finished.open()
        }
      } catch { isTold = false }
      if isTold { await finished.wait() }
      for _ in 0..<10 { await Task.yield() }
      #expect((taken.value == 1) == isTold)
    }
  }

  @Test("work that is marked as ended reports the cause instead of a cancellation")
  func marking() async {
    let ending = SessionError.cancelled(session: "x")
    let never = SharedOutcome<Void>()
    let running = operation()
    let ofRunning = await sessionError {
      try await running.run {
        _ = running.markEnded(by: ending)
        // The task is cancelled now, before the end is reported.
        try await never.value()
      }
    }
    #expect("\(ofRunning, default: "-")" == "\(ending)")
    let waiting = operation()
    let ofWaiting = await sessionError {
      try await waiting.wait {
        _ = waiting.markEnded(by: ending)
        try await never.value()
      }
    }
    #expect("\(ofWaiting, default: "-")" == "\(ending)")
  }

  @Test("a release runs at the end, even if it is added after the end")
  func releases() {
    let operation = operation()
    let released = Counter()
    operation.onFinish { released.increment() }
    operation.finish()
    operation.onFinish { released.increment() }
    operation.finish()
    #expect(released.value == 2)
  }

  @Test("a reader that is cancelled ends the stream, even if others keep the response")
  func cancelledReader() async throws {
    let start: Bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"
    let fixture = try await SessionFixture(FaultScript(["/held": [.send(start), .hang]])) {
      $0.concurrency = 1
    }
    let response = try await fixture.session.stream(try fixture.request(.get, "/held"))
    let reading = Gate()
    let reader = Task { for try await _ in response.body { reading.open() } }
    await reading.wait()
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.joined }
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
    try await fixture.server.openConnections(become: 1)
    #expect(response.head.status == .ok)
  }

  @Test("a link's body that does not heed the end of its stream keeps no permit")
  func hangingBody() async throws {
    struct HangingBody: Middleware {
      let entered = Gate()
      let gate = Gate()

      func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
        guard request.url.path() == "/held" else { return try await next.send(request) }
        let (entered, gate) = (entered, gate)
        let body = AsyncThrowingStream<[UInt8], any Error>(unfolding: {
          entered.open()
          await gate.waitWhateverHappens()
          return nil
        })
        return StreamingResponse(
          head: HTTPResponse(status: .ok), body: ResponseBody(body), url: request.url)
      }
    }
    let link = HangingBody()
    defer { link.gate.open() }
    let fixture = try await SessionFixture(FaultScript(), networkMiddleware: [link]) {
      $0.concurrency = 1
    }
    let response = try await fixture.session.stream(try fixture.request(.get, "/held"))
    await link.entered.wait()
    fixture.session.cancelAll()
    let error = await sessionError { try await response.body.collect(upTo: 10) }
    #expect(error.kind == "cancelled")
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
  }

  @Test("all requests that a shutdown ends get the same error")
  func shutdown() async throws {
    let server = try await FaultServer(.noHead)
    let url = try #require(URL(string: server.url))
    for round in 1...20 {
      var configuration = SessionConfiguration()
      configuration.concurrency = 20
      configuration.retry.baseDelay = .zero
      let session = Session(name: "x", configuration: configuration)
      let sent = server.requests.count
      let requests = try (0..<20).map { _ in
        let request = try Request(url: url)
        return Task { await sessionError { try await session.send(request) } }
      }
      try await eventually("all are there") { server.requests.count == sent + 20 }
      await session.shutdown()
      for request in requests {
        let error = await request.joined
        #expect(error.kind == "cancelled", "round \(round)")
      }
      try await server.openConnections(become: 0)
    }
    await server.stop()
  }
}
