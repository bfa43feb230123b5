import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// Each session keeps its own timeouts, even if another session of the same server has others.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SessionIndependenceTests {
  @Test("two sessions wait for the same server, each for its own time")
  func realTime() async throws {
    let server = try await FaultServer(.noHead)
    let request = try Request(url: try #require(URL(string: server.url)))
    let limits = [Patience.limit * 2, .milliseconds(300)]
    let sessions = limits.map { limit in
      var configuration = SessionConfiguration()
      configuration.timeout.connect = Patience.limit
      configuration.timeout.idle = Patience.limit * 2
      configuration.timeout.request = limit
      configuration.retry.attempts = 1
      return Session(name: "\(limit)", configuration: configuration)
    }
    let long = Task.immediate { await outcome { try await sessions[0].send(request) } }
    try await server.requests(become: 1)
    let begin = ContinuousClock.now
    let short = await outcome { try await sessions[1].send(request) }
    #expect(short == "timedOut(request)")
    #expect(ContinuousClock.now - begin >= .milliseconds(300))
    // The first one still waits, and therefore can be cancelled.
    sessions[0].cancelAll()
    #expect(await long.joined == "cancelled")
  }

  @Test("a silent server times out one session only")
  func idle() async throws {
    let pair = try await SessionPair(idle: (.milliseconds(300), .milliseconds(700)))
    let server = try await FaultServer(.stalledBody)
    let begin = ContinuousClock.now
    let one = try pair.begin(pair.one, server, isSafeToRetry: false)
    let two = try pair.begin(pair.two, server, isSafeToRetry: false)
    #expect(await one.joined == "timedOut(idle)")
    #expect(ContinuousClock.now - begin >= .milliseconds(300))
    #expect(await two.joined == "timedOut(idle)")
    #expect(ContinuousClock.now - begin >= .milliseconds(700))
  }

  @Test("a silent server times out one stream only")
  func idleStream() async throws {
    let pair = try await SessionPair(idle: (.seconds(10), .seconds(1_000)))
    let server = try await FaultServer(.stalledBody)
    var request = try Request(url: try #require(URL(string: server.url)))
    request.timeout = .seconds(20_000)
    let begin = pair.clock.now
    let (one, two) = (try await pair.one.stream(request), try await pair.two.stream(request))
    let readers = [one, two].map { response in
      let ended = Counter()
      let reader = Task {
        defer { ended.increment() }
        return await sessionError { try await response.body.collect(upTo: 10) }
      }
      return (ended, reader)
    }
    // Step by step: from when silence is counted, only the session knows.
    for ((ended, reader), (step, limit)) in zip(readers, [(1, 10), (50, 1_000)]) {
      try await eventually("the stream ends") {
        pair.clock.advance(by: .seconds(step))
        return ended.value == 1
      }
      #expect(begin.duration(to: pair.clock.now) >= .seconds(limit))
      #expect(await reader.joined.kind == "timedOut(idle)")
      try await server.openConnections(become: limit == 10 ? 1 : 0)
    }
  }

  @Test("the whole-request timeout ends one session's request only")
  func request() async throws {
    let pair = try await SessionPair()
    let gates = [Gate(), Gate()]
    let server = try await FaultServer(
      FaultScript(otherwise: [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .send("a"),
        .pause(until: gates[0]), .send("b"), .pause(until: gates[1]), .send("c"), .hang,
      ]))
    let readers = try [pair.one, pair.two].map { session in
      let request = try Request(url: try #require(URL(string: server.url)))
      let count = Counter()
      let reader = Task {
        await sessionError {
          for try await _ in try await session.stream(request).body { count.increment() }
        }
      }
      return (count, reader)
    }
    // Signs of life, so that it is not the silence that ends it.
    for (index, gate) in gates.enumerated() {
      try await eventually("both have a piece") { readers.allSatisfy { $0.0.value == index + 1 } }
      pair.clock.advance(by: .seconds(8))
      gate.open()
    }
    try await eventually("both have a piece") { readers.allSatisfy { $0.0.value == 3 } }
    for (reader, seconds) in zip(readers.map(\.1), [4, 5]) {
      pair.clock.advance(by: .seconds(seconds))
      #expect(await reader.joined.kind == "timedOut(request)")
      // The first session's connection was one of its proxy's.
      try await pair.proxy.openConnections(become: 0)
      try await server.openConnections(become: seconds == 4 ? 1 : 0)
    }
  }

  @Test("the operation timeout ends one session's request only, even if it is suspended")
  func operation() async throws {
    let pair = try await SessionPair()
    let server = try await FaultServer(FaultScript())
    for session in [pair.one, pair.two] { session.suspend() }
    let one = try pair.begin(pair.one, server)
    let two = try pair.begin(pair.two, server)
    pair.clock.advance(by: .seconds(30_000))
    #expect(await one.joined == "timedOut(operation)")
    pair.clock.advance(by: .seconds(9_000))
    pair.two.resume()
    #expect(await two.joined == "200")
    #expect(server.requests.count == 1)
    pair.two.suspend()
    let again = try pair.begin(pair.two, server)
    pair.clock.advance(by: .seconds(40_000))
    #expect(await again.joined == "timedOut(operation)")
  }

  @Test("each session has its own connection timeout and first retry delay")
  func connect() async throws {
    let pair = try await SessionPair(connect: (.milliseconds(300), .milliseconds(700)))
    let server = try await FaultServer(.handshakeHangs)
    let begin = ContinuousClock.now
    let one = try pair.begin(pair.one, server)
    let two = try pair.begin(pair.two, server)
    try await pair.clock.sleeper(of: .seconds(1))
    #expect(ContinuousClock.now - begin >= .milliseconds(300))
    try await pair.clock.sleeper(of: .seconds(2))
    #expect(ContinuousClock.now - begin >= .milliseconds(700))
    pair.clock.advance(by: .seconds(1))
    #expect(await one.joined == "timedOut(connect)")
    pair.two.cancelAll()
    #expect(await two.joined == "cancelled")
  }

  @Test("a suspended session lets running requests end, and later sends the others in order")
  func suspension() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(
      FaultScript(["/running": [.pause(until: gate), .ok]])
    ) { $0.concurrency = 1 }
    let session = fixture.session
    let first = try fixture.request(.get, "/running")
    let running = Task { try await session.send(first).head.status }
    try await fixture.server.requests(become: 1)
    session.suspend()
    let paths = (1...20).map { "/\($0)" }
    let waiting = try paths.map { path in
      let request = try fixture.request(.get, path)
      return Task.immediate { try await session.send(request).head.status }
    }
    gate.open()
    #expect(try await running.joined == .ok)
    #expect(fixture.server.requests.count == 1)
    try await comeAndGo(fixture.server)
    #expect(fixture.server.requests.count == 2)
    session.resume()
    for request in waiting { #expect(try await request.joined == .ok) }
    let order = fixture.server.requests.dropFirst(2).map { $0.split(separator: " ")[1] }
    #expect(order == paths.map { $0[...] })
  }
}
