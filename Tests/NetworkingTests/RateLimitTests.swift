import Foundation
import HTTPTypes
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RateLimitTests {
  @Test("no period as long as the interval has more requests than the limit")
  func spread() {
    let clock = ManualClock()
    let limiter = RateLimiter(
      [RateLimit(requests: 3, interval: .seconds(10))],
      clock: TimeSource(clock, wall: { Date() }, random: { 0 }))
    var moments: [Duration] = []
    for index in 0..<30 {
      if index == 12 { clock.advance(by: .seconds(17)) }
      moments.append(limiter.reserve().at)
    }
    #expect(moments.prefix(4) == [.zero, .zero, .zero, .seconds(10)])
    for (first, fourth) in zip(moments, moments.dropFirst(3)) {
      #expect(fourth - first >= .seconds(10))
    }
  }

  @Test("a request that two limiters count is admitted though the clock goes on between them")
  func movingClock() {
    let readings = Mutex(0)
    // It moves at each reading, and stands still after many, so that no search lasts for ever.
    let clock = TimeSource(
      uptime: {
        readings.withLock { count -> Duration in
          count += 1
          return .nanoseconds(min(count, 1_000))
        }
      }, wall: { Date() }, sleep: { _ in }, sleepUntil: { _ in })
    let common = RateLimiter([RateLimit(requests: 10, interval: .seconds(60))], clock: clock)
    let limiter = RateLimiter(
      [RateLimit(requests: 2, interval: .seconds(60))], common: common, clock: clock)
    #expect(limiter.reserve().duration == .zero)
    #expect(limiter.reserve().duration == .zero)
    #expect(limiter.reserve().duration > .seconds(59))
    #expect(readings.withLock { $0 } < 100)
  }

  @Test("a session keeps each of several limits", arguments: [true, false])
  func several(shortFirst: Bool) {
    let clock = ManualClock()
    let limits = [
      RateLimit(requests: 2, interval: .seconds(10)),
      RateLimit(requests: 5, interval: .seconds(60)),
    ]
    let limiter = RateLimiter(
      shortFirst ? limits : limits.reversed(),
      clock: TimeSource(clock, wall: { Date() }, random: { 0 }))
    let moments = (0..<40).map { index in
      if index == 20 { clock.advance(by: .seconds(200)) }
      return limiter.reserve().at
    }
    #expect(
      moments.prefix(7) == [
        .zero, .zero, .seconds(10), .seconds(10), .seconds(20), .seconds(60), .seconds(60),
      ])
    for limit in limits {
      for (first, beyond) in zip(moments, moments.dropFirst(limit.requests)) {
        #expect(beyond - first >= limit.interval)
      }
    }
  }

  @Test("a released moment goes to another request")
  func givenBack() async throws {
    let sessionClock = TimeSource(ManualClock(), wall: { Date() }, random: { 0 })
    let limiter = RateLimiter(
      [RateLimit(requests: 1, interval: .seconds(10))], clock: sessionClock)
    _ = limiter.reserve()
    let second = limiter.reserve()
    #expect(second.duration == .seconds(10))
    limiter.cancel(second)
    #expect(limiter.reserve().duration == .seconds(10))
    try await limiter.count(
      in: Operation(
        tag: nil, clock: sessionClock, watch: DeadlineScheduler(clock: sessionClock)),
      waitingAtMost: .zero)
    #expect(limiter.reserve().duration == .seconds(20))
  }

  @Test("a session's requests wait for the rate, then go with credentials of that moment")
  func session() async throws {
    let authorizer = CountingAuthorizer()
    let fixture = try await SessionFixture(FaultScript(), authorizer: authorizer) {
      $0.rateLimits = [RateLimit(requests: 2, interval: .seconds(45))]
    }
    let request = try fixture.request()
    for _ in 0..<2 { _ = try await fixture.session.send(request) }
    let third = Task { try await fixture.session.send(request) }
    try await fixture.clock.sleeper(of: .seconds(45))
    #expect(fixture.server.requests.count == 2)
    // Edge case 48: what was good when the wait began need not be when it ends.
    _ = try await authorizer.replaceCredentials(
      rejected: .init(rawValue: 0), request: request.head, response: .init(status: .unauthorized))
    fixture.clock.advance(by: .seconds(45))
    _ = try await third.joined
    #expect(fixture.server.requests.last?.contains("Bearer 1") == true)
  }

  @Test("a request without its own bound waits ten minutes for a published limit, and no longer")
  func unbounded() async throws {
    let fixture = try await SessionFixture(FaultScript()) {
      $0.rateLimits = [RateLimit(requests: 1, interval: .seconds(600))]
    }
    let request = try fixture.request()
    _ = try await fixture.session.send(request)
    let second = Task { try await fixture.session.send(request) }
    try await fixture.clock.sleeper(of: .seconds(600))
    // The next moment of all is twenty minutes away.
    let error = await sessionError { try await fixture.session.send(request) }
    #expect(error.kind == "rateLimited(1200.0)")
    fixture.clock.advance(by: .seconds(600))
    _ = try await second.joined
    #expect(fixture.server.requests.count == 2)
  }

  @Test(
    "a request that may not wait long enough fails immediately and frees its moment",
    arguments: [true, false])
  func tooLong(saysSoItself: Bool) async throws {
    let fixture = try await SessionFixture(FaultScript()) {
      $0.rateLimits = [RateLimit(requests: 1, interval: .seconds(45))]
    }
    var request = try fixture.request()
    _ = try await fixture.session.send(request)
    let error: SessionError?
    if saysSoItself {
      request.maximumWait = .seconds(44)
      error = await sessionError { [request] in try await fixture.session.send(request) }
    } else {
      error = await Session.waiting(atMost: .seconds(44)) {
        await sessionError { try await fixture.session.send(fixture.request()) }
      }
    }
    guard case .rateLimited(let wait)? = error else {
      Issue.record("it is \(String(describing: error))")
      return
    }
    #expect(wait == .seconds(45))
    #expect(fixture.server.requests.count == 1)
    request.maximumWait = .seconds(45)
    let patient = Task { [request] in try await fixture.session.send(request) }
    try await fixture.clock.sleeper(of: .seconds(45))
    fixture.clock.advance(by: .seconds(45))
    #expect(try await patient.joined.head.status == .ok)
  }

  @Test("one busy server leaves the session's permits to others")
  func perHost() async throws {
    let release = Gate()
    let slow = try await FaultServer(FaultScript(otherwise: [.pause(until: release), .ok]))
    let fixture = try await SessionFixture(FaultScript()) { configuration in
      configuration.concurrency = 2
      configuration.connections.perHost = 1
    }
    let toSlow = try Request(url: try #require(URL(string: slow.url)))
    let waiting = (0..<3).map { _ in Task { try await fixture.session.send(toSlow) } }
    try await slow.requests(become: 1)
    #expect(try await fixture.session.send(try fixture.request()).head.status == .ok)
    #expect(slow.requests.count == 1)
    release.open()
    for task in waiting { _ = try await task.joined }
  }

  @Test("accounts of one application keep its limit together, and each its own")
  func application() {
    let clock = ManualClock()
    let time = TimeSource(clock)
    let application = ApplicationLimits(
      [RateLimit(requests: 3, interval: .seconds(60))], time: time)
    let limit = RateLimit(requests: 2, interval: .seconds(40))
    let one = SharedLimits(application: application, time: time).limiter(for: [limit])
    let two = SharedLimits(application: application, time: time).limiter(for: [limit])
    #expect(one.reserve().duration == .zero && one.reserve().duration == .zero)
    // Its own limit has room later than that of the application.
    let own = one.reserve()
    #expect(own.duration == .seconds(40))
    // The application has none left: three are sent in the minute that ends with the last one.
    let common = two.reserve()
    #expect(common.duration == .seconds(60))
    one.cancel(own)
    two.cancel(common)
    #expect(two.reserve().duration == .zero)
    #expect(two.reserve().duration == .seconds(60))
  }
}
