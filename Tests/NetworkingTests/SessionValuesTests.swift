import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// Two sessions that differ in every value, used at the same time: what each value does.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SessionValuesTests {
  @Test("the two sessions of the other tests differ in every value")
  func differences() async throws {
    let pair = try await SessionPair()
    func values(_ value: Any, _ name: String) -> [(name: String, text: String)] {
      switch value {
      case is SessionConfiguration, is SessionConfiguration.Timeouts,
        is SessionConfiguration.Connections, is SessionConfiguration.RetryPolicy:
        Mirror(reflecting: value).children.flatMap {
          values($0.value, "\(name).\($0.label ?? "")")
        }
      default: [(name, String(describing: value))]
      }
    }
    let one = values(pair.one.configuration, "")
    let two = values(pair.two.configuration, "")
    #expect(one.count >= 20)
    for (left, right) in zip(one, two) {
      #expect(left.text != right.text, "both have the same \(left.name)")
    }
  }

  @Test("a session sends its own header fields")
  func wire() async throws {
    let pair = try await SessionPair()
    let server = try await FaultServer(FaultScript())
    #expect(try await pair.both(server) == ["200", "200"])
    for (agent, language) in [("one/1", "de"), ("two/2", "fr")] {
      let request = try #require(server.requests.first { $0.contains(agent) }).lowercased()
      #expect(request.contains("user-agent: \(agent)\r\n"))
      #expect(request.contains("accept-language: \(language)\r\n"))
    }
    #expect(pair.proxy.asked.map(\.authority) == ["127.0.0.1:\(server.port)"])
  }

  @Test("a session limits its concurrent requests, in total and per server")
  func permits() async throws {
    let pair = try await SessionPair()
    let gate = Gate()
    let script = FaultScript(["/wait": [.pause(until: gate), .ok]])
    let servers = [try await FaultServer(script), try await FaultServer(script)]
    let requests = try [pair.one, pair.two].flatMap { session in
      try [0, 0, 1, 1].map { try pair.begin(session, servers[$0], "/wait") }
    }
    let expected = [[1, 1], [2, 1]]
    func counts() -> [[Int]] {
      [pair.one, pair.two].map { session in servers.map { pair.count(session, at: $0) } }
    }
    try await eventually("as many as may") { counts() == expected }
    try await comeAndGo(servers[0])
    #expect(counts() == expected)
    gate.open()
    for request in requests { #expect(await request.joined == "200") }
    #expect(counts() == [[2, 2], [2, 2]])
  }

  @Test("a session keeps connections for its configured time")
  func keepAlive() async throws {
    let pair = try await SessionPair()
    let server = try await FaultServer(FaultScript())
    #expect(try await pair.both(server) == ["200", "200"])
    try await pair.proxy.openConnections(become: 0)
    try await server.openConnections(become: 1)
    #expect(try await pair.begin(pair.two, server).joined == "200")
    #expect(server.acceptedConnections == 2)
  }

  @Test("a session retries as its policy says")
  func retries() async throws {
    let pair = try await SessionPair()
    let server = try await FaultServer(
      FaultScript(
        [
          "/3": [.response("503 Busy", fields: ["Retry-After: 3"])],
          "/7": [.response("503 Busy", fields: ["Retry-After: 7"])],
        ], otherwise: [.response("503 Busy")]))
    let one = try pair.begin(pair.one, server)
    let two = try pair.begin(pair.two, server)
    for wait in [1, 2] { try await pair.clock.sleeper(of: .seconds(wait)) }
    pair.clock.advance(by: .seconds(2))
    #expect(await one.joined == "503")
    try await pair.clock.sleeper(of: .seconds(4))
    pair.clock.advance(by: .seconds(4))
    #expect(await two.joined == "503")
    #expect([pair.one, pair.two].map { pair.count($0, at: server) } == [2, 3])
    // More than all waits together, then more than one wait may last; for the second neither, once.
    for wait in [3, 7] {
      pair.clock.advance(by: .seconds(20))
      let one = try pair.begin(pair.one, server, "/\(wait)")
      let two = try pair.begin(pair.two, server, "/\(wait)")
      #expect(await one.joined == "503")
      try await pair.clock.sleeper(of: .seconds(wait))
      pair.clock.advance(by: .seconds(wait))
      if wait == 3 {
        try await eventually("it waits once more") {
          server.requests.count { $0.contains("GET /3") } == 3
        }
        try await pair.clock.sleeper(of: .seconds(wait))
        pair.clock.advance(by: .seconds(wait))
      }
      #expect(await two.joined == "503")
    }
    #expect(pair.one.statistics.retries == 1 && pair.two.statistics.retries == 2 + 2 + 1)
  }

  @Test("a session applies its own redirects, size limits and compression")
  func responses() async throws {
    let pair = try await SessionPair()
    let bomb = GzipBomb(size: 4_000)
    let head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.compressedSize)\r\n\r\n"
    let server = try await FaultServer(
      FaultScript([
        "/from": [.response("302 Found", fields: ["Location: /"])],
        "/large": [.response(body: String(repeating: "x", count: 6_000))],
        "/zip": [.send(Bytes(head))] + bomb.steps,
      ]))
    #expect(try await pair.both(server, "/from") == ["302", "200"])
    #expect(try await pair.both(server, "/large") == ["responseTooLarge", "200"])
    #expect(try await pair.both(server, "/zip") == ["decompressionRefused", "200"])
  }

  @Test("a session trusts only its own certificates")
  func security() async throws {
    let pair = try await SessionPair()
    let expected =
      [
        (0, nil, ["200", "untrustedServer"]), (0, .tls12, ["untrustedServer", "untrustedServer"]),
        (1, nil, ["untrustedServer", "200"]), (1, .tls12, ["untrustedServer", "200"]),
      ] as [(Int, FaultServer.TLS.Version?, [String])]
    for (authority, version, answers) in expected {
      let server = try await FaultServer(
        FaultScript(), tls: .init(try pair.authorities[authority].leaf(), maximum: version))
      #expect(try await pair.both(server) == answers)
      pair.clock.advance(by: .seconds(20))
    }
  }

  @Test("a session keeps its own rate limit")
  func rate() async throws {
    let pair = try await SessionPair()
    let server = try await FaultServer(FaultScript())
    for _ in 0..<5 { #expect(try await pair.both(server) == ["200", "200"]) }
    let one = try pair.begin(pair.one, server)
    try await pair.clock.sleeper(of: .seconds(7))
    #expect(try await pair.begin(pair.two, server).joined == "200")
    let two = try pair.begin(pair.two, server)
    try await pair.clock.sleeper(of: .seconds(11))
    pair.clock.advance(by: .seconds(7))
    #expect(await one.joined == "200")
    try await comeAndGo(server)
    #expect([pair.one, pair.two].map { pair.count($0, at: server) } == [6, 6])
    pair.clock.advance(by: .seconds(4))
    #expect(await two.joined == "200")
  }
}
