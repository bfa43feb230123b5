import Foundation
import HTTPTypes
import Networking
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RetryTests {
  private static let busy = [FaultScript.Step.response("503 Busy")]

  @Test("a request that may not wait so long gets the answer immediately")
  func maximumWaitOfRequest() async throws {
    let fields = ["Retry-After: 7"]
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [.response("429 Too Many Requests", fields: fields), .close]))
    var request = try fixture.request()
    request.maximumWait = .seconds(6)
    let response = try await fixture.session.send(request)
    #expect(response.head.status.code == 429 && response.attempts == 1)
  }

  @Test("a request that refuses a wait gets the answer immediately, and learns who asked for it")
  func refusedWait() async throws {
    for (status, asked) in [
      ("429 Slow Down", true), ("503 Busy", true), ("503 Busy", false),
    ] {
      let fields = asked ? ["Retry-After: 7"] : []
      let fixture = try await SessionFixture(
        FaultScript(otherwise: [.response(status, fields: fields), .close])
      ) { $0.retry.baseDelay = .seconds(2) }
      let waits = Mutex<[RequestWait]>([])
      var request = try fixture.request()
      request.onWait = { wait in
        waits.withLock { $0.append(wait) }
        return false
      }
      let response = try await fixture.session.send(request)
      #expect(response.head.status.code == Int(status.prefix(3)) && response.attempts == 1)
      #expect(waits.withLock { $0.map(\.reason) } == [asked ? .askedByServer : .failedAttempt])
    }
  }

  @Test("waits double from the base to the bound, and never pass the total")
  func backoff() async throws {
    let fixture = try await SessionFixture(FaultScript(responses: [Self.busy])) { configuration in
      configuration.retry.attempts = 10
      configuration.retry.baseDelay = .seconds(1)
      configuration.retry.maxWait = .seconds(5)
      configuration.retry.totalWait = .seconds(12)
    }
    let request = try fixture.request()
    let answer = Task { try await fixture.session.send(request) }
    for wait in [1, 2, 4, 5] {
      try await fixture.clock.sleeper(of: .seconds(wait))
      fixture.clock.advance(by: .seconds(wait))
    }
    let response = try await answer.joined
    #expect(response.head.status.code == 503 && response.attempts == 5)
    #expect(response.waited == .seconds(12))
    #expect(fixture.session.statistics.waited == .seconds(12))
  }

  // Edge case 49
  @Test(
    "Retry-After is obeyed in both its forms",
    arguments: ["7", "Sun, 06 Nov 1994 08:49:44 GMT"])
  func retryAfter(value: String) async throws {
    let now = try #require(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT"))
    let fixture = try await SessionFixture(
      FaultScript(responses: [
        [.response("429 Slow Down", fields: ["Retry-After: \(value)"])], [.ok],
      ]), now: now)
    let request = try fixture.request()
    let answer = Task { try await fixture.session.send(request) }
    try await fixture.clock.sleeper(of: .seconds(7))
    fixture.clock.advance(by: .seconds(7))
    #expect(try await answer.joined.head.status == .ok)
  }

  // Edge case 59
  @Test(
    "only idempotent methods and those marked safe are repeated once they may have been received",
    arguments: [
      (HTTPRequest.Method.get, false, 2), (.head, false, 2), (.put, false, 2), (.delete, false, 2),
      (.options, false, 2), (.post, false, 1), (.patch, false, 1), (.post, true, 2),
    ])
  func methods(method: HTTPRequest.Method, isMarked: Bool, sent: Int) async throws {
    for failure in [[FaultScript.Step.reset], Self.busy] {
      let fixture = try await SessionFixture(
        FaultScript(responses: [failure, [.send("HTTP/1.1 204 None\r\n\r\n")]])
      ) { $0.retry.baseDelay = .zero }
      var request = try fixture.request(method)
      if isMarked { request.isSafeToRetry = true }
      _ = try? await fixture.session.send(request)
      #expect(fixture.server.requests.count == sent)
    }
  }

  @Test("a request whose connection failed is tried again for every method")
  func unsent() async throws {
    let closed = try ClosedPort()
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 3
    configuration.retry.baseDelay = .zero
    configuration.proxy = .none
    let session = Session(name: "test", configuration: configuration)
    let request = try Request(method: .post, url: try #require(URL(string: closed.url)))
    let error = await sessionError { try await session.send(request) }
    #expect(error.kind == "connectionFailed")
    #expect(session.statistics.requests == 3)
  }

  @Test("a server that cannot prove who it is is asked once")
  func untrusted() async throws {
    let certificates = try TestCertificates()
    let server = try await FaultServer(FaultScript(), tls: .init(try certificates.leaf()))
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.retry.baseDelay = .zero
    let session = Session(name: "test", configuration: configuration)
    let request = try Request(url: try #require(URL(string: server.url)))
    let error = await sessionError { try await session.send(request) }
    #expect(error.kind == "untrustedServer")
    #expect(server.acceptedConnections == 1 && session.statistics.requests == 1)
  }

  // Edge case 5
  @Test("credentials are replaced once for an operation, however often it is tried")
  func authorizationOnce() async throws {
    let unauthorized = [FaultScript.Step.response("401 Unauthorized")]
    let authorizer = CountingAuthorizer()
    let fixture = try await SessionFixture(
      FaultScript(responses: [unauthorized, Self.busy, unauthorized, [.ok]]), authorizer: authorizer
    ) { $0.retry.baseDelay = .zero }
    let response = try await fixture.session.send(try fixture.request())
    #expect(response.head.status == .unauthorized && response.attempts == 2)
    #expect(authorizer.rejections == 1 && fixture.server.requests.count == 3)
  }

  @Test("the bound on an operation ends it during a wait, and holds for all attempts together")
  func operationDeadline() async throws {
    let fixture = try await SessionFixture(FaultScript(responses: [Self.busy])) { configuration in
      configuration.timeout.operation = .seconds(10)
      configuration.retry.baseDelay = .seconds(8)
    }
    let request = try fixture.request()
    let answer = Task { try await fixture.session.send(request) }
    try await fixture.clock.sleeper(of: .seconds(8))
    fixture.clock.advance(by: .seconds(8))
    try await fixture.clock.sleeper(of: .seconds(16))
    fixture.clock.advance(by: .seconds(2))
    let error = await sessionError { try await answer.joined }
    #expect(error.kind == "timedOut(operation)")
    #expect(fixture.server.requests.count == 2)
  }
}
