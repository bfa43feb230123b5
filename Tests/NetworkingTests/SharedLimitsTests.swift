import Foundation
import HTTPTypes
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Networking

/// Sessions of one account keep to its limits together.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SharedLimitsTests {
  /// Counts for the processes of a test.
  private final class Counts: RequestCounts {
    private let state = Mutex<
      (answers: [Duration], counted: Int, limits: Set<RateLimit>, isHeld: Bool)
    >(([], 0, [], false))

    init(_ answers: Duration...) { state.withLock { $0.answers = answers } }

    var counted: Int { state.withLock { $0.counted } }
    var limits: Set<RateLimit> { state.withLock { $0.limits } }

    func add(
      within limits: [RateLimit], waitingAtMost patience: Duration
    ) async throws -> Duration? {
      try state.withLock { state in
        if state.isHeld { throw RequestCountsHeld() }
        state.limits.formUnion(limits)
        guard state.answers.isEmpty else { return state.answers.removeFirst() }
        state.counted += 1
        return nil
      }
    }

    func add(waitingAtMost patience: Duration) async { state.withLock { $0.counted += 1 } }

    /// Another process does not let go of the count.
    func hold() { state.withLock { $0.isHeld = true } }
  }

  private func session(
    _ name: String, _ limits: SharedLimits, _ clock: ManualClock, _ rateLimits: RateLimit...
  ) -> Session {
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.rateLimits = rateLimits
    return Session(
      name: name, configuration: configuration, logger: .silent, sharedLimits: limits,
      time: TimeSource(clock, wall: { Date() }, random: { 1 }))
  }

  @Test("a request of one session leaves less for another with the same limits")
  func rate() async throws {
    let server = try await FaultServer(FaultScript())
    let request = try Request(url: try #require(URL(string: server.url)))
    let clock = ManualClock()
    let limits = SharedLimits(time: TimeSource(clock))
    let limit = RateLimit(requests: 2, interval: .seconds(45))
    let invoices = session("invoices", limits, clock, limit)
    clock.advance(by: .seconds(7))
    let contacts = session("contacts", limits, clock, limit)
    for session in [invoices, contacts] { _ = try await session.send(request) }
    let third = Task { try await contacts.send(request) }
    try await clock.sleeper(of: .seconds(45))
    #expect(server.requests.count == 2)
    clock.advance(by: .seconds(45))
    #expect(try await third.joined.head.status == .ok)
  }

  @Test(
    "sessions share a limit of concurrent requests, and a suspended one takes none")
  func concurrency() async throws {
    let release = Gate()
    let server = try await FaultServer(
      FaultScript(["/slow": [.pause(until: release), .ok]]))
    let slow = try Request(url: try #require(URL(string: server.url + "/slow")))
    let quick = try Request(url: try #require(URL(string: server.url + "/quick")))
    let clock = ManualClock()
    let limits = SharedLimits(concurrency: 1, time: TimeSource(clock))
    let invoices = session("invoices", limits, clock)
    let contacts = session("contacts", limits, clock)
    contacts.suspend()
    let suspended = Task.immediate { try await contacts.send(quick) }
    let first = Task.immediate { try await invoices.send(slow) }
    try await server.requests(become: 1)
    contacts.resume()
    let last = Task.immediate { try await invoices.send(quick) }
    #expect(server.requests.count == 1)
    release.open()
    for task in [first, suspended, last] { #expect(try await task.joined.head.status == .ok) }
  }

  @Test(
    "a session waits for other processes' requests, up to the bound, for lasting limits only"
  )
  func processes() async throws {
    let server = try await FaultServer(FaultScript())
    var request = try Request(url: try #require(URL(string: server.url)))
    let clock = ManualClock()
    let counts = Counts(.seconds(100), .seconds(100))
    let day = RateLimit(requests: 10, interval: .seconds(86_400))
    let minute = RateLimit(requests: 1, interval: .seconds(60))
    let session = session(
      "invoices", SharedLimits(counts: counts, time: TimeSource(clock)), clock, minute, day)
    request.maximumWait = .seconds(99)
    let error = await sessionError { [request] in try await session.send(request) }
    #expect(error.kind == "rateLimited(100.0)")
    #expect(counts.counted == 0 && server.requests.isEmpty)
    request.maximumWait = .seconds(100)
    let patient = Task { [request] in try await session.send(request) }
    try await clock.sleeper(of: .seconds(100))
    clock.advance(by: .seconds(100))
    #expect(try await patient.joined.head.status == .ok)
    #expect(counts.counted == 1 && counts.limits == [day])
  }

  @Test("a request that cannot be counted is not sent, and its error says to come back later")
  func held() async throws {
    let server = try await FaultServer(FaultScript())
    let clock = ManualClock()
    let counts = Counts()
    counts.hold()
    let day = RateLimit(requests: 10, interval: .seconds(86_400))
    let session = session(
      "invoices", SharedLimits(counts: counts, time: TimeSource(clock)), clock, day)
    let request = try Request(url: try #require(URL(string: server.url)))
    let error = await sessionError { try await session.send(request) }
    #expect(error.kind == "rateLimited(60.0)")
    #expect(server.requests.isEmpty)
  }

  @Test("a request that is repeated with newer credentials counts twice, also with other processes")
  func repetition() async throws {
    let server = try await FaultServer(
      FaultScript(responses: [[.response("401 Unauthorized")], [.ok]]))
    let clock = ManualClock()
    let counts = Counts()
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.rateLimits = [RateLimit(requests: 10, interval: .seconds(86_400))]
    let session = Session(
      name: "invoices", configuration: configuration, authorizer: CountingAuthorizer(),
      logger: .silent, sharedLimits: SharedLimits(counts: counts, time: TimeSource(clock)),
      time: TimeSource(clock, wall: { Date() }, random: { 1 }))
    _ = try await session.send(try Request(url: try #require(URL(string: server.url))))
    #expect(server.requests.count == 2)
    #expect(counts.counted == 2)
  }
}
