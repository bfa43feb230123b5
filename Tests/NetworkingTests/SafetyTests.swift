import Foundation
import HTTPTypes
import Networking
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SafetyTests {
  /// Imitates every server: redirects requests for `/leave` elsewhere, and records what would be
  /// sent.
  private final class World: Middleware {
    private let status: Int
    private let location: String
    private let seen = Mutex<[Request]>([])

    init(status: Int, location: String) {
      self.status = status
      self.location = location
    }

    var followed: [Request] { seen.withLock { $0 } }

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      var head = HTTPResponse(status: .ok)
      if request.url.path() == "/leave" {
        head.status = HTTPResponse.Status(code: status)
        head.headerFields[.location] = location
      } else {
        seen.withLock { $0.append(request) }
      }
      return StreamingResponse(head: head, body: ResponseBody([]), url: request.url)
    }
  }

  private func follow(
    _ method: HTTPRequest.Method, from url: String, _ status: Int, to location: String
  ) async throws -> (Result<Response, any Error>, followed: [Request]) {
    let world = World(status: status, location: location)
    let session = Session(
      name: "test", configuration: SessionConfiguration(), networkMiddleware: [world])
    var request = try Request(method: method, url: try #require(URL(string: url + "/leave?a=b")))
    if method == .post { request.body = .bytes(Array("canary".utf8)) }
    for name in ["Authorization", "Cookie", "Xero-Tenant-Id", "X-Api-Key"] {
      try request.setField(name, to: "canary")
    }
    let result: Result<Response, any Error>
    do {
      result = .success(try await session.send(request))
    } catch {
      result = .failure(error)
    }
    await session.shutdown()
    return (result, world.followed)
  }

  // Edge case 42
  @Test(
    "a redirect carries no secret to another origin",
    arguments: [301, 302, 303, 307, 308],
    [
      "https://other.example/x", "https://api.example:8443/x", "//other.example/x",
      "https://sub.api.example/x", "https://api.example.other.example/x", "https://[2001:db8::1]/x",
      "https://api.example@other.example/x", "https://other.example\\@api.example/x",
      "https://127.0.0.1/x", "https://api.example.:443/x", "//api.example:444/x",
    ])
  func origins(status: Int, location: String) async throws {
    for method in [HTTPRequest.Method.get, .post, .put] {
      let (result, followed) = try await follow(
        method, from: "https://api.example", status, to: location)
      for request in followed where request.url.host() != "api.example" || request.url.port != nil {
        #expect(request.fields.allSatisfy { $0.value != "canary" }, "\(request.url)")
        #expect(request.body == nil)
      }
      if case .failure(let error) = result {
        #expect((error as? SessionError).kind == "redirectRefused")
      }
    }
  }

  @Test(
    "a redirect within the origin carries all header fields",
    arguments: [
      "/x", "x", "?c=d", "//api.example/x", "https://api.example/x", "https://API.EXAMPLE/x",
      "https://api.example:443/x",
    ])
  func sameOrigin(location: String) async throws {
    let (_, followed) = try await follow(.get, from: "https://api.example", 307, to: location)
    // A query alone leads to the same path, and so does not end here.
    guard !location.hasPrefix("?") else { return }
    #expect(followed.count == 1)
    #expect(followed.first?.fields[.authorization] == "canary")
  }

  @Test(
    "https is never left for http, nor HTTP for anything else",
    arguments: [
      "http://api.example/x", "http://other.example/x", "ftp://api.example/x", "file:///etc/passwd",
      "javascript:alert(1)", "mailto:a@b.example", "http:///x", "https://user:pw@api.example/x",
    ])
  func refused(location: String) async throws {
    for status in [301, 302, 303, 307, 308] {
      let (result, followed) = try await follow(
        .get, from: "https://api.example", status, to: location)
      #expect(followed.isEmpty)
      guard case .failure(SessionError.redirectRefused) = result else {
        Issue.record("\(status) \(location): \(result)")
        continue
      }
    }
  }

  @Test(
    "a value that would change a message's framing is refused before anything is sent",
    arguments: [
      ("Host", "other.example"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked"),
      ("Connection", "close"), ("TE", "trailers"), ("Upgrade", "h2c"),
    ])
  func frame(name: String, value: String) async throws {
    let fixture = try await SessionFixture(FaultScript())
    var request = try fixture.request()
    try request.setField(name, to: value)
    let error = await sessionError { try await fixture.session.send(request) }
    #expect(error.kind == "invalidRequest")
    #expect(fixture.server.acceptedConnections == 0)
  }

  @Test(
    "a value that would be a second field is refused, not mended",
    arguments: ["a\r\nX: b", "a\nX: b", "a\0b", "a\rb", "\u{7F}"])
  func injectedFields(value: String) throws {
    var request = try Request(url: try #require(URL(string: "https://api.example/")))
    #expect(throws: SessionError.self) { try request.setField("X-Note", to: value) }
    #expect(throws: SessionError.self) { try request.setField(value, to: "x") }
    // What goes around it is made harmless.
    request.fields[.accept] = value
    #expect(!(request.fields[.accept] ?? "").contains { "\r\n\0".contains($0) })
  }

  @Test("no text of an error or a trace holds a query, a field or a body")
  func errors() async throws {
    let fixture = try await SessionFixture(FaultScript(otherwise: [.reset])) {
      $0.retry.attempts = 1
    }
    var request = try fixture.request(.post, "/x?token=canary")
    try request.setField("Authorization", to: "Bearer canary")
    request.body = .bytes(Array("canary".utf8))
    do {
      _ = try await fixture.session.send(request)
      Issue.record("it was answered")
    } catch {
      var dumped = ""
      dump(error, to: &dumped)
      let shown = "\(error) \(dumped)"
      #expect(!shown.contains("canary"))
    }
  }
}
