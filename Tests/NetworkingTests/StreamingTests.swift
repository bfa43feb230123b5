import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct StreamingTests {
  private static func chunk(_ text: String) -> FaultScript.Step {
    .send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
  }
  private static let head = FaultScript.Step.send(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
  private static let end = FaultScript.Step.send("0\r\n\r\n")

  @Test("the head and the first part of a body are available before the rest")
  func inPieces() async throws {
    let rest = Gate()
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [
        Self.head, Self.chunk("one"), .pause(until: rest), Self.chunk("two"), Self.end,
      ]))
    let response = try await fixture.session.stream(try fixture.request())
    #expect(response.head.status == .ok && response.attempts == 1)
    var pieces = response.body.makeAsyncIterator()
    let first = try await pieces.next()
    #expect(first == Array("one".utf8))
    rest.open()
    let second = try await pieces.next()
    #expect(second == Array("two".utf8))
    let last = try await pieces.next()
    #expect(last == nil)
    // The connection is whole and used again.
    _ = try await fixture.session.stream(try fixture.request()).body.collect(upTo: 10)
    #expect(fixture.server.acceptedConnections == 1)
  }

  @Test("a server is held back while its body is not read")
  func backPressure() async throws {
    let megabyte = Bytes([UInt8](repeating: 7, count: 1 << 20))
    let sent = Gate()
    let fixture = try await SessionFixture(
      FaultScript([
        "/large": [
          .send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n"),
          .repeat(megabyte, times: 64), .open(sent),
        ]
      ]))
    let response = try await fixture.session.stream(try fixture.request(.get, "/large"))
    var pieces = response.body.makeAsyncIterator()
    var count = try await pieces.next()?.count ?? 0
    // Other requests are served meanwhile; an unbounded read-ahead would have happened by now.
    for _ in 0..<50 { _ = try await fixture.session.send(try fixture.request()) }
    #expect(fixture.session.statistics.bytesReceived < 8 << 20)
    while let piece = try await pieces.next() { count += piece.count }
    #expect(count == 64 << 20)
    await sent.wait()
  }

  @Test("a busy reader does not count as a silent server, and a silent server ends the stream")
  func idle() async throws {
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [Self.head, Self.chunk("one"), Self.chunk("two"), .hang])
    ) { configuration in
      configuration.timeout.idle = .seconds(30)
      configuration.timeout.request = .seconds(10_000)
    }
    let response = try await fixture.session.stream(try fixture.request())
    // Bytes wait to be read, so the server is not silent, however long the reader takes.
    try await eventually("a piece is there") { fixture.session.statistics.bytesReceived > 0 }
    for _ in 0..<10 { fixture.clock.advance(by: .seconds(40)) }
    let read = Gate()
    let reader = Task {
      var body: [UInt8] = []
      for try await piece in response.body {
        body += piece
        if body == Array("onetwo".utf8) { read.open() }
      }
    }
    await read.wait()
    try await eventually("the server is silent for too long") {
      fixture.clock.advance(by: .seconds(31))
      return fixture.server.openConnections == 0
    }
    let error = await sessionError { try await reader.joined }
    #expect(error.kind == "timedOut(idle)")
  }

  @Test("the timeout of a request includes reading its body")
  func requestDeadline() async throws {
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [Self.head, Self.chunk("one"), .hang])
    ) { configuration in
      configuration.timeout.idle = .seconds(10_000)
      configuration.timeout.request = .seconds(60)
    }
    let response = try await fixture.session.stream(try fixture.request())
    fixture.clock.advance(by: .seconds(61))
    let error = await sessionError { try await response.body.collect(upTo: 1_000) }
    #expect(error.kind == "timedOut(request)")
    try await fixture.server.openConnections(become: 0)
  }

  @Test("leaving a body unread closes its connection and frees its permit")
  func leaving() async throws {
    let fixture = try await SessionFixture(
      FaultScript(["/endless": [Self.head, .repeat("4\r\nfour\r\n")]])
    ) { $0.concurrency = 1 }
    for try await _ in try await fixture.session.stream(try fixture.request(.get, "/endless")).body
    { break }
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
    try await fixture.server.openConnections(become: 1)
  }

  @Test("a response other than 2xx arrives with its whole body")
  func failures() async throws {
    let fixture = try await SessionFixture(
      FaultScript(otherwise: [.response("404 Not Found", body: "none")]))
    let response = try await fixture.session.stream(try fixture.request())
    #expect(response.head.status == .notFound)
    #expect(try await response.body.collect(upTo: 10) == Array("none".utf8))
  }

  @Test("a body that is cut off ends the stream with an error, never as if it were whole")
  func cutOff() async throws {
    for ending in [FaultScript.Step.close, .reset, .halfClose] {
      let fixture = try await SessionFixture(
        FaultScript(otherwise: [Self.head, Self.chunk("one"), ending]))
      let error = await sessionError {
        try await fixture.session.stream(try fixture.request()).body.collect(upTo: 1_000)
      }
      #expect(error.kind == "connectionLost")
    }
  }
}
