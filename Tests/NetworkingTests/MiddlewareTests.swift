import Foundation
import HTTPTypes
import Networking
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct MiddlewareTests {
  /// Writes down what passes.
  private final class Witness: Middleware {
    private let name: String
    private let log: Log

    init(_ name: String, _ log: Log) {
      self.name = name
      self.log = log
    }

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      log.add("\(name)\(next.attempt) \(request.fields[.authorization] ?? "-")")
      return try await next.send(request)
    }
  }

  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  private struct Answering: Middleware {
    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      guard request.url.path() != "/cached" else {
        return StreamingResponse(
          head: HTTPResponse(status: .ok),
          body: ResponseBody(
            AsyncThrowingStream { continuation in
              continuation.yield(Array("from ".utf8))
              continuation.yield(Array("memory".utf8))
              continuation.finish()
            }), url: request.url)
      }
      var marked = request
      marked.fields[.userAgent] = "marked"
      return try await next.send(marked)
    }
  }

  @Test("a front end's links wrap the operation, or each request on the wire")
  func order() async throws {
    let log = Log()
    let fixture = try await SessionFixture(
      FaultScript(responses: [
        [.response("503 Busy")], [.response("401 Unauthorized")],
        [.response("302 Found", fields: ["Location: /b"])], [.ok],
      ]), authorizer: CountingAuthorizer(), middleware: [Witness("outer", log)],
      networkMiddleware: [Witness("wire", log)]
    ) { $0.retry.baseDelay = .zero }
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
    #expect(
      log.all == [
        "outer1 -", "wire1 Bearer 0", "wire2 Bearer 0", "wire2 Bearer 1", "wire2 Bearer 1",
      ])
  }

  @Test("a link can change a request, or answer it by itself, whole and in a stream")
  func answering() async throws {
    let fixture = try await SessionFixture(FaultScript(), middleware: [Answering()])
    _ = try await fixture.session.send(try fixture.request())
    #expect(fixture.server.requests[0].contains("marked"))
    let cached = try fixture.request(.get, "/cached")
    #expect(try await fixture.session.send(cached).body == Array("from memory".utf8))
    let streamed = try await fixture.session.stream(cached).body.collect(upTo: 100)
    #expect(streamed == Array("from memory".utf8))
    #expect(fixture.server.requests.count == 1)
  }

  @Test("the session's header fields apply if a request has none of its own")
  func defaultFields() async throws {
    let fixture = try await SessionFixture(FaultScript()) { configuration in
      configuration.headers[.acceptLanguage] = "nl"
      configuration.userAgent = "mine/1"
    }
    var request = try fixture.request()
    _ = try await fixture.session.send(request)
    request.fields[.acceptLanguage] = "de"
    _ = try await fixture.session.send(request)
    let received = fixture.server.requests.map { $0.lowercased() }
    #expect(received[0].contains("accept-language: nl") && received[0].contains("mine/1"))
    #expect(received[1].contains("accept-language: de") && !received[1].contains("nl"))
  }
}
