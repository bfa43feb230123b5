import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// The requests that must not be repeated, or not be sent at all.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RepetitionTests {
  @Test("a POST whose redirect fails to connect was received, and is not sent again")
  func deadRedirect() async throws {
    let closed = try ClosedPort()
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [.response("303 See Other", fields: ["Location: \(closed.url)/x"])])
    ) { $0.retry.baseDelay = .zero }
    let post = try fixture.request(.post)
    let error = await sessionError { try await fixture.session.send(post) }
    #expect(error.kind == "connectionFailed")
    #expect(fixture.server.requests.count == 1)
    // A GET does no harm.
    _ = try? await fixture.session.send(try fixture.request())
    #expect(fixture.server.requests.count == 5)
  }

  @Test("a 401 after a redirect is an answer, and the redirected request is not repeated")
  func rejectedBehindRedirect() async throws {
    let authorizer = CountingAuthorizer()
    let fixture = try await SessionFixture(
      FaultScript([
        "/orders": [.response("303 See Other", fields: ["Location: /orders/1"])],
        "/orders/1": [.response("401 Unauthorized")],
      ]), authorizer: authorizer)
    let response = try await fixture.session.send(try fixture.request(.post, "/orders"))
    #expect(response.head.status == .unauthorized)
    #expect(authorizer.rejections == 0 && fixture.server.requests.count == 2)
  }

  @Test("a task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let fixture = try await SessionFixture(FaultScript())
    let request = try fixture.request(.post)
    // A connection stands ready.
    _ = try await fixture.session.send(try fixture.request())
    for isStreamed in [false, true] {
      let gate = Gate()
      let sending = Task {
        await gate.waitWhateverHappens()
        if isStreamed {
          _ = try await fixture.session.stream(request)
        } else {
          _ = try await fixture.session.send(request)
        }
      }
      sending.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { try await sending.joined }
    }
    _ = try await fixture.session.send(try fixture.request())
    #expect(fixture.server.requests.allSatisfy { $0.hasPrefix("GET ") })
  }

  @Test("a redirect to another origin does not carry the session's header fields")
  func sessionFields() async throws {
    let other = try await FaultServer(FaultScript())
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [.response("302 Found", fields: ["Location: \(other.url)/x"])])
    ) { configuration in
      configuration.headers[.authorization] = "Bearer canary"
      configuration.headers[.cookie] = "canary"
    }
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
    #expect(fixture.server.requests.allSatisfy { $0.contains("Bearer canary") })
    #expect(other.requests.count == 1 && other.requests.allSatisfy { !$0.contains("canary") })
  }

  private struct Twice: Middleware {
    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      _ = try await next.send(request)
      return try await next.send(request)
    }
  }

  @Test("a link may send a streamed request again, which releases the first stream")
  func handedOnTwice() async throws {
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [.response(body: "ok")]), middleware: [Twice()]
    ) { $0.concurrency = 1 }
    for _ in 0..<3 {
      let response = try await fixture.session.stream(try fixture.request())
      #expect(try await response.body.collect(upTo: 10) == Array("ok".utf8))
    }
    #expect(fixture.server.requests.count == 6)
  }
}
