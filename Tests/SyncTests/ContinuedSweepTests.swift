import Models
import Networking
import Storage
import Sync
import SyncSupport
import TestSupport
import Testing

/// Readings of everything that break off, while others edit what had been read.
@Suite(.timeLimit(.minutes(10))) struct ContinuedSweepTests {
  /// A server of 40 rows whose next run breaks off after two pages, and is stored so far.
  private func brokenOff(
    afterWhole: Bool
  ) async throws -> (server: ListServer, fixture: ListFixture) {
    let server = ListServer(rows: 40) { server, request in
      // A whole run is four pages.
      if request == (afterWhole ? 7 : 3) { server.answerNext(500) }
    }
    let fixture = try await ListFixture(.sweep, server)
    if afterWhole { _ = try await fixture.sync.run() }
    await #expect(throws: SyncError.self) { _ = try await fixture.sync.run() }
    return (server, fixture)
  }

  @Test(
    "edits and deletions among records read before a crash arrive with the next run",
    arguments: [false, true])
  func edited(afterWhole: Bool) async throws {
    let (server, fixture) = try await brokenOff(afterWhole: afterWhole)
    server.edit("r3", total: 777)
    // In its cursor, so that no row moves: this list is not counted.
    server.rows[7] = ListServer.Row(id: "new", version: 1, total: 5)
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.ending == nil)
    #expect(report.counts.updated == 1 && report.counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("edits arrive too if a list of versions broke off among its records")
  func versions() async throws {
    let server = ListServer(rows: 20) { server, request in
      if request == 3 { server.answerNext(500) }
    }
    let fixture = try await ListFixture(.versions, server)
    await #expect(throws: SyncError.self) { _ = try await fixture.sync.run() }
    #expect(try await fixture.stored().count == 7)
    server.edit("r1", total: 777)
    server.rows.removeAll { $0.id == "r2" }
    let asked = server.requests.count
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    // The list is one page, and was read as a whole.
    #expect(server.requests[asked...].count { $0 == "/versions" } == 1)
    try await fixture.stop()
  }

  @Test("a reading that broke off before its first page is read once")
  func unread() async throws {
    let server = ListServer(rows: 25)
    let fixture = try await ListFixture(.sweep, server)
    _ = try await fixture.sync.run()
    server.answerNext(500)
    await #expect(throws: SyncError.self) { _ = try await fixture.sync.run() }
    let asked = server.requests.count
    #expect(try await fixture.sync.run().result == .complete)
    #expect(server.requests[asked...] == ["/list", "/list?start=10", "/list?start=20"])
    try await fixture.stop()
  }

  @Test("a comparison after an interrupted reading is the second reading")
  func compared() async throws {
    let (server, fixture) = try await brokenOff(afterWhole: true)
    server.edit("r3", total: 777)
    let asked = server.requests.count
    var options = SyncOptions()
    options.verifies = true
    let report = try await fixture.sync.run(options)
    #expect(report.result == .complete && report.verification?.updated == 1)
    // Two pages that were left, and four.
    #expect(server.requests.count - asked == 6)
    try await fixture.stop()
  }

  @Test("a run without time for the second reading says so, and the next one begins it anew")
  func budget() async throws {
    let (server, fixture) = try await brokenOff(afterWhole: true)
    server.edit("r3", total: 777)
    var options = SyncOptions()
    options.limit = 30
    let first = try await fixture.sync.run(options)
    #expect(first.result == .partial && first.ending == .continued && first.retryAt != nil)
    server.rows.removeAll { $0.id == "r4" }
    let asked = server.requests.count
    let second = try await fixture.sync.run()
    #expect(server.requests[asked] == "/list")
    #expect(second.result == .complete && server.requests.count - asked == 4)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test(
    "runs too short for the whole list read all of it together, and none claims to be complete",
    arguments: [10, 15, 25])
  func alwaysTooShort(limit: Int) async throws {
    let server = ListServer(rows: 40)
    let fixture = try await ListFixture(.sweep, server)
    var options = SyncOptions()
    options.limit = limit
    var endings: [SyncReport.Ending?] = []
    for round in 1...3 {
      for _ in 0..<12 { endings.append(try await fixture.sync.run(options).ending) }
      #expect(try await fixture.stored() == Set(server.rows))
      for row in server.rows { server.edit(row.id, total: 100 * round) }
      server.rows.removeLast()
    }
    #expect(endings.allSatisfy { $0 == .limit || $0 == .continued })
    #expect(endings.contains(.continued))

    // Enough for the whole list is enough.
    options.limit = 50
    for _ in 0..<2 { endings.append(try await fixture.sync.run(options).ending) }
    #expect(endings.suffix(2).contains(nil))
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }
}
