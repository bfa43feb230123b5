import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// Each session waits for as long as it was told to, also while another one was told otherwise.
@Suite(.timeLimit(.minutes(10))) struct SessionIndependenceTests {
  @Test("two sessions wait for the same server, each for as long as it was told to")
  func realTime() async throws {
    let server = try await FaultServer(.noHead)
    let url = try #require(URL(string: server.url))
    func wait(_ limit: Duration) async throws -> (answer: String, time: Duration) {
      var configuration = SessionConfiguration()
      configuration.timeout.request = limit
      configuration.retry.attempts = 1
      let session = Session(name: "\(limit)", configuration: configuration)
      let request = try Request(url: url)
      let begin = ContinuousClock.now
      let answer = await outcome { try await session.send(request) }
      let end = ContinuousClock.now
      await session.shutdown()
      return (answer, end - begin)
    }
    // A machine that is busy with something else makes one try slow; not all of them.
    var times: [Duration] = []
    repeat {
      async let short = wait(.milliseconds(300))
      async let long = wait(.milliseconds(600))
      let (first, second) = (try await short, try await long)
      #expect([first, second].allSatisfy { $0.answer == "timedOut(request)" })
      #expect(first.time >= .milliseconds(300) && second.time >= .milliseconds(600))
      times.append(first.time)
    } while times.count < 5 && times.allSatisfy { $0 >= .milliseconds(600) }
    #expect(times.contains { $0 < .milliseconds(600) }, "\(times)")
    await server.stop()
  }

  @Test("silence of the server")
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
    await pair.stop(server)
  }

  @Test("silence of the server to a stream")
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
      guard case .timedOut(.idle, _) = await reader.joined else {
        Issue.record("another end")
        return
      }
      try await server.openConnections(become: limit == 10 ? 1 : 0)
    }
    await pair.stop(server)
  }

  @Test("the whole of a request")
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
      guard case .timedOut(.request, _) = await reader.joined else {
        Issue.record("another end")
        return
      }
      // The first session's connection was one of its proxy's.
      try await pair.proxy.openConnections(become: 0)
      try await server.openConnections(become: seconds == 4 ? 1 : 0)
    }
    await pair.stop(server)
  }

  @Test("an operation, suspended sessions included")
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
    await pair.stop(server)
  }

  @Test("making a connection, and the first wait before the next try")
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
    await pair.stop(server)
  }

  @Test("a suspended session lets what runs end, and later the others go in their order")
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
    await fixture.stop()
  }
}
