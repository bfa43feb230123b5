import HTTPTypes
import Models
import Networking
import Storage
import Sync
import SyncSupport
import SystemSupport
import TestSupport
import Testing

/// Lists of versions whose records the server does not all hand out.
@Suite(.timeLimit(.minutes(10))) struct VersionsTests {
  @Test("a listed record that is withheld is a failure, and is fetched again")
  func withheld() async throws {
    let server = ListServer(rows: 12)
    server.withhold("r3", "r9")
    let fixture = try await ListFixture(.versions, server)
    let first = try await fixture.sync.run()
    #expect(first.result == .partial && first.ending == .unreadable)
    #expect(first.failures.map(\.id) == ["r3", "r9"] && first.counts.inserted == 10)
    server.withhold()
    let second = try await fixture.sync.run()
    #expect(second.result == .complete && second.counts.inserted == 2)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a record that is deleted between its listing and its reading is no failure")
  func deletedMeanwhile() async throws {
    let server = ListServer(rows: 12) { server, request in
      // A run fetches the list first, then seven records.
      if request == 2 || request == 6 { server.rows.removeAll { $0.id == "r\(request)" } }
    }
    let fixture = try await ListFixture(.versions, server)
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.failureCount == 0)
    #expect(try await fixture.stored() == Set(server.rows) && server.rows.count == 11)
    // One that is stored has a tombstone then, as if it had not been listed.
    for row in server.rows { server.edit(row.id, total: 5) }
    let second = try await fixture.sync.run()
    #expect(second.result == .complete && second.counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("the next records are fetched while the first are stored, one batch at a time")
  func ahead() async throws {
    let gate = RequestGate(at: "/records")
    let fixture = try await ListFixture(.versions, ListServer(rows: 20), gate: gate)
    let server = fixture.server
    let run = Task { try await fixture.sync.run() }
    try await eventually("records are asked for") { gate.isReached }
    // Nothing can be stored now.
    let lock = try await HeldLock.acquire(
      at: fixture.database.path + ".lock", timeout: Patience.limit)
    gate.open()
    try await eventually("the second batch is asked for") {
      server.requests.count { $0.hasPrefix("/records") } == 2
    }
    #expect(try await fixture.stored().isEmpty)
    lock.release()
    #expect(try await run.joined.counts.inserted == 20)
    #expect(try await fixture.stored() == Set(server.rows))
    #expect(server.requests.count { $0.hasPrefix("/records") } == 3)
    try await fixture.stop()
  }

  @Test("prefetched records are fetched again after a rate limit, and none twice")
  func limitAhead() async throws {
    let server = ListServer(rows: 30) { server, request in
      // The list, a batch, and the one that is on its way while that is stored.
      if request == 3 { server.answerNext(429, [.retryAfter: "5"]) }
    }
    let fixture = try await ListFixture(.versions, server)
    let run = Task { try await fixture.sync.run() }
    try await fixture.clock.sleeper(of: .seconds(5))
    fixture.clock.advance(by: .seconds(5))
    let report = try await run.joined
    #expect(report.result == .complete && report.counts.inserted == 30)
    #expect(report.counts.updated + report.counts.unchanged == 0)
    #expect(server.requests.count == 1 + 5 + 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a stored record stays as it is while its new version is withheld")
  func withheldVersion() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(.versions, server)
    _ = try await fixture.sync.run()
    server.edit("r2", total: 77)
    server.withhold("r2")
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.failures.map(\.id) == ["r2"])
    #expect(report.counts.deleted == 0 && report.counts.updated == 0)
    server.withhold()
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("versions in a list that promises records end the run before anything is deleted")
  func unpromised() async throws {
    let fixture = try await ListFixture(.versions, ListServer(rows: 20))
    _ = try await fixture.sync.run()
    var feed = ListFeed(model: .versions, counts: false, introduces: false)
    feed.promisesRecords = true
    let sync = ResourceSync(
      account: "default", feed: feed, session: fixture.session,
      store: fixture.database.invoiceStore, logger: .silent)
    await #expect(throws: SyncError.self) { _ = try await sync.run() }
    #expect(try await fixture.stored().count == 20)
    try await fixture.stop()
  }
}
