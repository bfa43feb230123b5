import Models
import Networking
import Storage
import Sync
import SyncSupport
import TestSupport
import Testing

/// The behaviour of a run if the provider's published limit leaves it no room.
@Suite(.timeLimit(.minutes(10))) struct PublishedLimitTests {
  private static let now = Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000)

  @Test("a limit that requires a longer wait than allowed ends the run, saved; the next continues")
  func tooLong() async throws {
    let server = ListServer(rows: 35)
    let fixture = try await ListFixture(
      .watermark, server, rateLimits: [RateLimit(requests: 2, interval: .seconds(3_600))])
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .rateLimit)
    #expect(report.retryAt == Self.now.adding(seconds: 3_600))
    #expect(server.requests.count == 2)
    #expect(try await fixture.stored().count == 20)
    fixture.clock.advance(by: .seconds(3_600))
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == Set(server.rows))
    #expect(server.requests.count == 4)
    try await fixture.stop()
  }

  @Test("a run waits if the wait is short enough")
  func wait() async throws {
    let server = ListServer(rows: 15)
    let fixture = try await ListFixture(
      .sweep, server, rateLimits: [RateLimit(requests: 1, interval: .seconds(60))])
    let run = Task { try await fixture.sync.run() }
    try await fixture.clock.sleeper(of: .seconds(60))
    fixture.clock.advance(by: .seconds(60))
    #expect(try await run.joined.result == .complete)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("the requests of a feed before its list are bounded as well, and so is a sample")
  func begin() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(
      .sweep, server, introduces: true,
      rateLimits: [RateLimit(requests: 1, interval: .seconds(3_600))])
    for _ in 0..<2 {
      let report = try await fixture.sync.run()
      #expect(report.result == .partial && report.ending == .rateLimit)
      #expect(report.retryAt == Self.now.adding(seconds: 3_600))
    }
    #expect(server.requests == ["/who"])
    await #expect(throws: SyncError.self) { try await fixture.sample() }
    try await fixture.stop()
  }

  @Test("a sample, whose user is watching, reports a wait of more than seconds")
  func sample() async throws {
    let fixture = try await ListFixture(
      .sweep, ListServer(rows: 5), introduces: true,
      rateLimits: [RateLimit(requests: 1, interval: .seconds(10))])
    await #expect(throws: SyncError.self) { try await fixture.sample() }
    try await fixture.stop()
  }
}
