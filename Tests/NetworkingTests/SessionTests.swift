import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SessionTests {
  private func session(
    _ name: String = "test", _ adjust: (inout SessionConfiguration) -> Void = { _ in }
  ) -> Session {
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    configuration.retry.baseDelay = .milliseconds(1)
    adjust(&configuration)
    return Session(name: name, configuration: configuration)
  }

  private func request(_ server: ScriptedServer, _ method: HTTPRequest.Method = .get) throws
    -> Request
  {
    try Request(method: method, url: try #require(URL(string: server.url + "/x?token=canary")))
  }

  private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"

  // Edge case 56
  @Test(
    "a slow head and a slow body both end at the session's own deadline",
    arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"])
  func deadlines(head: String) async throws {
    let server = try ScriptedServer([.replyAndHang(head)])
    let short = session("short") { $0.timeout.request = .milliseconds(200) }
    let long = session("long") { $0.timeout.request = .seconds(30) }
    let request = try request(server)
    let patient = Task { try await long.send(request) }
    try await eventually("the patient one has asked") { server.requests.count == 1 }
    let error = await sessionError { try await short.send(request) }
    #expect(error.kind == "timedOut(request)")
    long.cancelAll()
    await #expect(throws: SessionError.self) { _ = try await patient.joined }
    await short.shutdown()
    await long.shutdown()
  }

  // Edge case 13
  @Test("cancelAll ends this session's requests, leaves others, and the session can be used again")
  func cancelAll() async throws {
    let hanging = try ScriptedServer([.replyAndHang("")])
    let answering = try ScriptedServer([.reply(Self.ok)])
    let a = session("a")
    let b = session("b")
    let toHanging = try request(hanging)
    let fromA = Task { try await a.send(toHanging) }
    let fromB = Task { try await b.send(toHanging) }
    try await eventually("both requests arrive") { hanging.requests.count == 2 }
    a.cancelAll()
    let error = await sessionError { try await fromA.joined }
    #expect(error?.description == SessionError.cancelled(session: "a").description)
    #expect(try await a.send(try request(answering)).head.status.code == 200)
    fromB.cancel()
    await #expect(throws: CancellationError.self) { _ = try await fromB.joined }
    await a.shutdown()
    #expect(await sessionError({ try await a.send(toHanging) }).kind == "closed")
    await b.shutdown()
  }

  // Edge case 56
  @Test(
    "faults of the wire are distinguished",
    arguments: [
      (ScriptedServer.Step.reset, "lost"), (.reply("garbage\r\n\r\n"), "malformed"),
      (.reply("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort"), "lost"),
      (
        .reply(
          "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2000\r\n\r\n"
            + String(repeating: "x", count: 2_000)),
        "large"
      ),
    ])
  func wireFaults(step: ScriptedServer.Step, kind: String) async throws {
    let server = try ScriptedServer([step])
    let session = session { $0.maximumResponseSize = 1_000 }
    let request = try request(server)
    let error = await sessionError { try await session.send(request) }
    let found =
      switch error {
      case .connectionLost: "lost"
      case .malformedResponse: "malformed"
      case .responseTooLarge: "large"
      default: String(describing: error)
      }
    #expect(found == kind)
    let description = error?.description ?? ""
    #expect(!description.contains("canary"))
  }

  @Test("a port without a listener fails the connection immediately")
  func refused() async throws {
    let closed = try ClosedPort()
    let request = try Request(url: try #require(URL(string: closed.url)))
    let session = session()
    #expect(await sessionError({ try await session.send(request) }).kind == "connectionFailed")
  }

  // Edge case 59
  @Test("a GET is sent again after a failure, a POST that may have been received is not")
  func retries() async throws {
    let failing: [ScriptedServer.Step] = [
      .reply("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), .reset,
      .reply(Self.ok),
    ]
    let server = try ScriptedServer(failing)
    let session = session { $0.retry.attempts = 4 }
    let response = try await session.send(try request(server))
    #expect(response.head.status.code == 200 && response.attempts == 3)
    #expect(session.statistics.retries == 2)
    let again = try ScriptedServer(failing)
    #expect(try await session.send(try request(again, .post)).head.status.code == 503)
    #expect(again.requests.count == 1)
  }

  // Edge case 49
  @Test("a Retry-After beyond the session's patience is returned immediately")
  func longRetryAfter() async throws {
    let server = try ScriptedServer([
      .reply(
        "HTTP/1.1 429 Slow\r\nConnection: close\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n")
    ])
    let session = session { $0.retry.attempts = 4 }
    let response = try await session.send(try request(server))
    #expect(response.head.status.code == 429 && server.requests.count == 1)
    let now = try #require(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT"))
    var head = HTTPResponse(status: .init(code: 429))
    head.headerFields[.retryAfter] = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(RetryAfter.seconds(in: head, now: now) == 60)
    head.headerFields[.retryAfter] = "soon"
    #expect(RetryAfter.seconds(in: head, now: now) == nil)
  }

  // Edge case 42
  @Test("a redirect to another origin carries no credentials; one to the same does")
  func redirects() async throws {
    let target = try ScriptedServer([.reply(Self.ok)])
    func redirect(_ location: String) -> ScriptedServer.Step {
      .reply(
        """
        HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: \(location)\r\n\
        Content-Length: 0\r\n\r\n
        """
      )
    }
    let server = try ScriptedServer([redirect("/again"), redirect(target.url + "/elsewhere")])
    var request = try request(server)
    request.fields[.authorization] = "Bearer canary"
    request.fields[.cookie] = "canary"
    let session = session()
    #expect(try await session.send(request).head.status.code == 200)
    #expect(server.requests[1].contains("Bearer canary"))
    #expect(!target.requests[0].contains("canary"))
    let loop = try ScriptedServer([redirect("/loop")])
    #expect(
      await sessionError({ try await session.send(try self.request(loop)) }).kind
        == "redirectRefused")
  }

  @Test(
    "a redirect changes the method of a POST alone, except 303",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST"),
      (308, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "HEAD", "HEAD"),
    ])
  func redirectedMethods(status: Int, sent: String, followed: String) async throws {
    let server = try ScriptedServer([
      .reply(
        "HTTP/1.1 \(status) Moved\r\nConnection: close\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n"
      ),
      .reply("HTTP/1.1 204 None\r\nConnection: close\r\n\r\n"),
    ])
    let session = session()
    let method = try #require(HTTPRequest.Method(sent))
    #expect(try await session.send(try request(server, method)).head.status.code == 204)
    #expect(server.requests[1].hasPrefix("\(followed) /y"))
  }

  @Test("a missing certificate file is an invalid request, not a fault of the server")
  func missingCertificates() async throws {
    let session = session { $0.extraCACertificates = ["/does/not/exist.pem"] }
    let request = try Request(url: try #require(URL(string: "https://127.0.0.1:9/")))
    #expect(await sessionError({ try await session.send(request) }).kind == "invalidRequest")
  }

  @Test(
    "URLs that could smuggle something are refused",
    arguments: ["ftp://h/", "/relative", "http://user:pw@h/", "http:///path"])
  func refusedURLs(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: SessionError.self) { _ = try Request(url: url) }
  }

  @Test("constant credentials go to their origin alone and show in no dump")
  func constantCredentials() async throws {
    let server = try ScriptedServer([.reply(Self.ok)])
    let url = try #require(URL(string: server.url))
    let origin = try #require(Origin(url))
    let authorizer = try BearerAuthorizer(token: "canary", origins: [origin])
    var dumped = ""
    dump(authorizer, to: &dumped)
    #expect(!dumped.contains("canary"))
    let session = Session(name: "x", configuration: SessionConfiguration(), authorizer: authorizer)
    _ = try await session.send(try request(server))
    #expect(server.requests[0].contains("Bearer canary"))
    let other = try Request(url: try #require(URL(string: "http://localhost:\(server.port)/")))
    #expect(await sessionError({ try await session.send(other) }).kind == "credentialsRefused")
    #expect(throws: SessionError.self) {
      _ = try UserCredentials(user: "a:b", password: "")
    }
  }
}
