import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct UploadTests {
  private static let busy = FaultScript(responses: [[.response("503 Busy")], [.ok]])

  private func stream(_ pieces: [String]) -> RequestBody {
    .stream(
      AsyncThrowingStream { continuation in
        for piece in pieces { continuation.yield(Array(piece.utf8)) }
        continuation.finish()
      })
  }

  @Test("a file is sent in pieces with its length, and sent again if that is safe")
  func file() async throws {
    let folder = try TemporaryDirectory()
    let text = String(repeating: "0123456789", count: 20_000)
    let path = try folder.write(text, to: "upload")
    let fixture = try await SessionFixture(Self.busy) { $0.retry.baseDelay = .zero }
    var request = try fixture.request(.put)
    request.body = try .file(path)
    #expect(try await fixture.session.send(request).attempts == 2)
    for received in fixture.server.requests {
      #expect(received.hasSuffix("\r\n\r\n" + text))
      #expect(received.lowercased().contains("\r\ncontent-length: 200000\r\n"))
    }
    #expect(throws: SessionError.self) { _ = try RequestBody.file(folder.path) }
  }

  @Test("a stream is sent as it comes, and never twice")
  func once() async throws {
    let fixture = try await SessionFixture(Self.busy) { $0.retry.baseDelay = .zero }
    var request = try fixture.request(.put)
    request.body = stream(["one", "two"])
    // 503: the bytes that were read from the stream are lost.
    #expect(try await fixture.session.send(request).head.status.code == 503)
    #expect(fixture.server.requests.count == 1)
    #expect(fixture.server.requests[0].lowercased().contains("transfer-encoding: chunked"))
  }

  // Edge case 7
  @Test("a 401 for a body that cannot be sent twice is a typed error, and nothing is half sent")
  func rejected() async throws {
    let fixture = try await SessionFixture(
      FaultScript(responses: [[.response("401 Unauthorized")], [.ok]]),
      authorizer: CountingAuthorizer())
    var request = try fixture.request(.post)
    request.body = stream(["one"])
    let error = await sessionError { try await fixture.session.send(request) }
    #expect(error.kind == "bodyNotReplayable")
    #expect(fixture.server.requests.count == 1)
    request.body = .bytes(Array("one".utf8))
    #expect(try await fixture.session.send(request).head.status == .ok)
  }

  @Test("a redirect that would need a stream again is refused")
  func redirected() async throws {
    let fixture = try await SessionFixture(
      FaultScript(responses: [[.response("307 Go", fields: ["Location: /there"])], [.ok]]))
    var request = try fixture.request(.post)
    request.body = stream(["one"])
    let error = await sessionError { try await fixture.session.send(request) }
    #expect(error.kind == "bodyNotReplayable")
  }

  @Test("a stream that fails ends the request with its own error")
  func failing() async throws {
    struct Broken: Error {}
    let fixture = try await SessionFixture(FaultScript()) { $0.retry.baseDelay = .zero }
    var request = try fixture.request(.put)
    request.body = .stream(AsyncThrowingStream { $0.finish(throwing: Broken()) })
    await #expect(throws: Broken.self) { _ = try await fixture.session.send(request) }
    #expect(fixture.session.statistics.requests == 1)
    try await fixture.server.openConnections(become: 0)
  }

  @Test("JSON is sent and received, within the request's own size limit")
  func json() async throws {
    struct Note: Codable, Equatable { let text: String }
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [.response(body: "{\"text\":\"hello\"}")]))
    var request = try Request(
      url: try #require(URL(string: fixture.server.url)), json: Note(text: "hi"))
    let response = try await fixture.session.send(request)
    #expect(try response.json(Note.self) == Note(text: "hello"))
    #expect(fixture.server.requests[0].hasSuffix("{\"text\":\"hi\"}"))
    #expect(fixture.server.requests[0].contains("application/json"))
    #expect(throws: SessionError.self) { _ = try response.json([Int].self) }
    request.maximumResponseSize = 5
    let error = await sessionError { try await fixture.session.send(request) }
    guard case .responseTooLarge(limit: 5) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("of a large error only the beginning is read, and the next request has its own connection")
  func largeError() async throws {
    let size = 3 << 20
    let fixture = try await SessionFixture(
      FaultScript(
        ["/fails": [.response("404 Not Found", body: String(repeating: "x", count: size))]],
        otherwise: [.response(body: "fine")])
    ) { $0.retry.attempts = 1 }
    let whole = try await fixture.session.send(fixture.request(.get, "/fails"))
    #expect(whole.head.status == .notFound && whole.body.count == 1 << 20)
    let streamed = try await fixture.session.stream(fixture.request(.get, "/fails"))
    #expect(streamed.head.status == .notFound)
    #expect(try await streamed.body.collect(upTo: size).count == 1 << 20)
    #expect(try await fixture.session.send(fixture.request()).body == Array("fine".utf8))
    var bounded = try fixture.request(.get, "/fails")
    bounded.maximumResponseSize = 5
    guard
      case .responseTooLarge(limit: 5)? = await sessionError({
        try await fixture.session.send(bounded)
      })
    else {
      Issue.record("a smaller limit of the request is kept")
      return
    }
  }
}

/// Renews at every rejection, and counts.
final class CountingAuthorizer: RequestAuthorizer {
  private let rejected = Counter()

  var rejections: Int { rejected.value }

  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    request.headerFields[.authorization] = "Bearer \(rejected.value)"
    return CredentialGeneration(rawValue: UInt64(rejected.value))
  }

  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    rejected.increment()
    return true
  }
}
