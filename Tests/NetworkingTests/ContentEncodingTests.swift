import Foundation
import Networking
import TestSupport
import Testing

/// Bodies in encodings that servers choose.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ContentEncodingTests {
  @Test("a session asks for gzip alone, because deflate has two forms")
  func asks() async throws {
    let server = try ScriptedServer([
      .reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    ])
    let session = Session(name: "x", configuration: SessionConfiguration(), logger: .silent)
    _ = try await session.send(try Request(url: try #require(URL(string: server.url))))
    let fields = server.requests[0].lowercased().split(separator: "\r\n")
    #expect(fields.filter { $0.hasPrefix("accept-encoding:") } == ["accept-encoding: gzip"])
  }

  @Test(
    "a body in an encoding that was not asked for is an invalid response, never a page",
    arguments: ["x-gzip", "br", "deflate", "gzip, gzip"])
  func refused(encoding: String) async throws {
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [
        .response(fields: ["Content-Encoding: \(encoding)"], body: "{\"data\":[]}")
      ]))
    await #expect {
      _ = try await fixture.session.send(try fixture.request())
    } throws: { error in
      if case SessionError.malformedResponse = error { true } else { false }
    }
  }
}
