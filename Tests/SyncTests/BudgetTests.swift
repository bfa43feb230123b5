import HTTPTypes
import Models
import Networking
import Storage
import SyncSupport
import SystemSupport
import TestSupport
import Testing

@testable import Sync

/// The limits on the time that a run waits and works, and its end at these limits.
@Suite(.timeLimit(.minutes(10))) struct BudgetTests {
  // Edge case 49
  @Test(
    "a run with enough time waits as long as the server asks",
    arguments: [429, 503])
  func wait(status: Int) async throws {
    let server = ListServer(rows: 15)
    let fixture = try await ListFixture(.sweep, server)
    server.answerNext(status, [.retryAfter: "50"])
    let run = Task { try await fixture.sync.run() }
    try await fixture.clock.sleeper(of: .seconds(50))
    fixture.clock.advance(by: .seconds(50))
    let report = try await run.joined
    #expect(report.result == .complete && report.counts.inserted == 15)
    #expect(report.waited == .seconds(50))
    try await fixture.stop()
  }

  @Test("a run waits as long as the server asks at the start of the list too")
  func waitAtStart() async throws {
    let server = ListServer(rows: 15)
    let fixture = try await ListFixture(.sweep, server, introduces: true)
    // The first run proves the sign-in at the start of the list; the second one only begins there.
    for run in 1...2 {
      server.answerNext(429, [.retryAfter: "50"])
      let sync = Task { try await fixture.sync.run() }
      try await fixture.clock.sleeper(of: .seconds(50))
      fixture.clock.advance(by: .seconds(50))
      let report = try await sync.joined
      #expect(report.result == .complete && report.waited == .seconds(50), "run \(run)")
    }
    server.answerNext(429, [.retryAfter: "61"])
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .rateLimit)
    #expect(report.retryAt == Timestamp(microsecondsSinceEpoch: 1_700_000_061_000_000))
    try await fixture.stop()
  }

  @Test(
    "a longer wait ends the run, which says when to come back, and the next run continues",
    arguments: ["61", "Tue, 14 Nov 2023 22:14:21 GMT", nil] as [String?])
  func tooLong(retryAfter: String?) async throws {
    let server = ListServer(rows: 15) { server, request in
      guard request == 2 else { return }
      server.answerNext(429, retryAfter.map { [.retryAfter: $0] } ?? [:])
    }
    let fixture = try await ListFixture(.sweep, server)
    var options = SyncOptions()
    options.maximumWait = .seconds(59)
    let report = try await fixture.sync.run(options)
    #expect(report.result == .partial && report.ending == .rateLimit)
    let wait = retryAfter == nil ? 60 : 61
    let expected = Timestamp(microsecondsSinceEpoch: (1_700_000_000 + Int64(wait)) * 1_000_000)
    #expect(report.retryAt == expected)
    #expect(try await fixture.stored().count == 10)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  // Edge case 49
  @Test(
    "a server that asks for short waits without end ends the run, which keeps what it read",
    arguments: [429, 503], ["0", "1", "30"])
  func endless(status: Int, retryAfter: String) async throws {
    // The server would recover after 200 requests, which no run may take.
    let server = ListServer(rows: 15) { server, request in
      if (2...200).contains(request) { server.answerNext(status, [.retryAfter: retryAfter]) }
    }
    let fixture = try await ListFixture(.sweep, server)
    let run = Task { try await fixture.sync.run() }
    let time = Task {
      while !Task.isCancelled {
        if let wait = fixture.clock.pending.first { fixture.clock.advance(by: wait) }
        await Task.yield()
      }
    }
    let report = try await run.joined
    time.cancel()
    #expect(report.result == .partial)
    #expect(report.ending == (status == 429 ? .rateLimit : .serverBusy))
    let now = Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000)
    #expect(try #require(report.retryAt) > now)
    #expect(report.waited > .seconds(60) && report.waited <= .seconds(180))
    #expect(server.requests.count < 20)
    #expect(try await fixture.stored().count == 10)
    try await fixture.stop()
  }

  @Test("waits are bounded in a row and in the whole run, and concurrent ones count once")
  func waits() {
    let clock = ManualClock()
    var options = SyncOptions()
    options.maximumWait = .seconds(10)
    let budget = RunBudget(options, clock.source)
    for _ in 0..<3 {
      for _ in 0..<4 { #expect(budget.admits(.seconds(10))) }
      clock.advance(by: .seconds(10))
    }
    #expect(!budget.admits(.seconds(1)))
    for row in 1..<20 {
      budget.noteAnswer()
      for _ in 0..<3 {
        #expect(budget.admits(.seconds(10)), "row \(row)")
        clock.advance(by: .seconds(10))
      }
    }
    budget.noteAnswer()
    #expect(!budget.admits(.seconds(1)))
  }

  @Test("a run whose time is up ends after the page that is being stored, or before one that hangs")
  func duration() async throws {
    let clocks = Counter()
    let fixture = try await ListFixture(.sweep, ListServer(rows: 95))
    var options = SyncOptions()
    options.maximumDuration = .seconds(100)
    let report = try await fixture.sync.run(options) { progress in
      guard case .stored = progress else { return }
      clocks.increment()
      if clocks.value == 2 { fixture.clock.advance(by: .seconds(100)) }
    }
    #expect(report.result == .partial && report.ending == .duration)
    // Up to four that have arrived already are stored in one transaction.
    #expect((2...5).contains(report.pages))
    #expect(try await fixture.stored().count == report.pages * 10)
    #expect(try await fixture.sync.run().result == .complete)
    try await fixture.stop()
  }

  @Test(
    "a run whose time is up ends while it waits for records by identifier, a count or the start",
    arguments: [(ListModel.versions, "/records"), (.sweep, "/count"), (.sweep, "/who")])
  func durationOfOtherRequests(model: ListModel, path: String) async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(
      model, server, counts: path == "/count", introduces: path == "/who")
    server.hang(at: path)
    var options = SyncOptions()
    options.maximumDuration = .seconds(100)
    let run = Task { [options] in try await fixture.sync.run(options) }
    defer { run.cancel() }
    try await eventually("\(path) is asked for") {
      server.requests.contains { $0.hasPrefix(path) }
    }
    try await fixture.clock.sleeper(of: .seconds(100))
    fixture.clock.advance(by: .seconds(100))
    let report = try await run.joined
    #expect(report.result == .partial && report.ending == .duration)
    try await fixture.stop()
  }

  @Test("a cursor that the server has forgotten begins the list anew, a few times")
  func forgotten() async throws {
    let server = ListServer(rows: 25) { server, request in
      if request == 2 { server.answerNext(410) }
    }
    let fixture = try await ListFixture(.sweep, server)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == Set(server.rows))
    #expect(server.requests.count == 5)
    for _ in 0..<4 { server.answerNext(410) }
    await #expect {
      _ = try await fixture.sync.run()
    } throws: { error in
      guard case SyncError.unreadable("the list", let reason, _) = error else { return false }
      return reason == "the provider forgot 4 times how far it was read"
    }
    try await fixture.stop()
  }

  @Test("a rate limit between a list of versions and its records leaves nothing out")
  func versions() async throws {
    let server = ListServer(rows: 20) { server, request in
      if request == 3 { server.answerNext(429, [.retryAfter: "3600"]) }
    }
    let fixture = try await ListFixture(.versions, server)
    let first = try await fixture.sync.run()
    #expect(first.result == .partial && first.ending == .rateLimit)
    #expect(try await fixture.stored().count == 7)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a run since an instant that is to read everything too is refused before it begins")
  func contradiction() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(.sweep, server)
    for isFull in [true, false] {
      var options = SyncOptions()
      options.since = Timestamp(microsecondsSinceEpoch: 0)
      (options.isFull, options.verifies) = (isFull, !isFull)
      var failure: (any Error)?
      do { _ = try await fixture.sync.run(options) } catch { failure = error }
      guard case SyncError.contradictoryOptions? = failure else {
        Issue.record("expected a refusal instead of \(String(describing: failure))")
        continue
      }
    }
    #expect(server.requests.isEmpty)
    let run = try await fixture.database.lastRun(account: "default", resource: .invoices)
    #expect(run == nil)
    try await fixture.stop()
  }
}
