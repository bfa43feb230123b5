import Models
import Networking
import Storage
import Sync
import SyncSupport
import TestSupport
import Testing

/// Servers that do not report changes: a sweep reads everything and deletes records that the list
/// lacks.
@Suite(.timeLimit(.minutes(10))) struct SweepTests {
  @Test(
    "a sweep finds changed, new and removed records, and restores those that return",
    arguments: [ListModel.sweep, .versions])
  func changes(model: ListModel) async throws {
    let server = ListServer(rows: 25)
    let fixture = try await ListFixture(model, server)
    #expect(try await fixture.sync.run().counts.inserted == 25)
    #expect(try await fixture.stored() == Set(server.rows))

    server.edit("r3", total: 777)
    let gone = server.rows.remove(at: 10)
    server.rows.append(ListServer.Row(id: "new", version: 1, total: 5))
    let second = try await fixture.sync.run()
    #expect(second.result == .complete)
    #expect(second.counts.inserted == 1 && second.counts.updated == 1)
    #expect(second.counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    let deleted = try await fixture.database.invoice(gone.id, account: nil)
    #expect(deleted?.deletedReason == "not in the complete list")

    server.rows.append(gone)
    #expect(try await fixture.sync.run().counts.deleted == 0)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("the first whole run deletes removed records that a run since an instant has stored")
  func afterSince() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(.sweep, server)
    var options = SyncOptions()
    options.since = Timestamp(microsecondsSinceEpoch: 0)
    #expect(try await fixture.sync.run(options).counts.inserted == 5)
    server.rows.removeLast()
    #expect(try await fixture.sync.run().counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a dry run since an instant of a list of versions reports changes and stores nothing")
  func versionsSinceInDryRun() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(.versions, server)
    _ = try await fixture.sync.run()
    server.edit("r3", total: 9)
    var options = SyncOptions()
    options.since = Timestamp(microsecondsSinceEpoch: 0)
    options.isDryRun = true
    #expect(try await fixture.sync.run(options).counts.updated == 1)
    #expect(try await fixture.stored() != Set(server.rows))
    try await fixture.stop()
  }

  @Test("a list of versions fetches only records that differ, in batches")
  func versions() async throws {
    let server = ListServer(rows: 20)
    let fixture = try await ListFixture(.versions, server)
    _ = try await fixture.sync.run()
    #expect(server.requests.count == 1 + 3)
    server.edit("r5", total: 6)
    _ = try await fixture.sync.run()
    #expect(server.requests.suffix(2) == ["/versions", "/records?ids=r5"])
    try await fixture.stop()
  }

  // Edge case 50
  @Test(
    "a server that suddenly lists little deletes nothing unless that is allowed",
    arguments: [ListModel.sweep, .versions])
  func massDeletion(model: ListModel) async throws {
    let server = ListServer(rows: 50)
    let fixture = try await ListFixture(model, server)
    _ = try await fixture.sync.run()
    server.rows.removeFirst(45)
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      guard case SyncError.massDeletion(records: 45, of: 50) = $0 else { return false }
      return true
    }
    #expect(try await fixture.stored().count == 50)
    var options = SyncOptions()
    options.maximumDeletedPercent = 100
    #expect(try await fixture.sync.run(options).counts.deleted == 45)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a few deletions are allowed whatever the share, and none if none may be")
  func few() async throws {
    let server = ListServer(rows: 50)
    let fixture = try await ListFixture(.sweep, server)
    _ = try await fixture.sync.run()
    server.rows.removeFirst(2)
    var options = SyncOptions()
    options.maximumDeletedPercent = 0
    let none = options
    await #expect {
      _ = try await fixture.sync.run(none)
    } throws: {
      guard case SyncError.massDeletion(records: 2, of: 50) = $0 else { return false }
      return true
    }
    options.maximumDeletedPercent = 1
    #expect(try await fixture.sync.run(options).counts.deleted == 2)
    try await fixture.stop()
  }

  @Test("an interrupted sweep continues, and deletes only records that neither part has seen")
  func interrupted() async throws {
    let server = ListServer(rows: 40)
    let fixture = try await ListFixture(.sweep, server)
    _ = try await fixture.sync.run()
    server.rows.remove(at: 35)
    var options = SyncOptions()
    options.limit = 20
    let first = try await fixture.sync.run(options)
    #expect(first.result == .partial && first.ending == .limit && first.counts.deleted == 0)
    let asked = server.requests.count
    let second = try await fixture.sync.run()
    #expect(server.requests[asked] == "/list?start=20")
    #expect(second.result == .complete && second.counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a dry run reports every change, and changes nothing")
  func dryRun() async throws {
    let server = ListServer(rows: 30)
    let fixture = try await ListFixture(.sweep, server)
    _ = try await fixture.sync.run()
    let before = try await fixture.stored()
    let runs = try await fixture.database.lastRun(account: "default", resource: .invoices)
    server.edit("r1", total: 99)
    server.rows.remove(at: 20)
    server.rows.append(ListServer.Row(id: "new", version: 1, total: 1))
    var options = SyncOptions()
    options.isDryRun = true
    let report = try await fixture.sync.run(options)
    #expect(report.result == .dryRun)
    #expect(report.counts.inserted == 1 && report.counts.updated == 1)
    #expect(report.counts.deleted == 1 && report.counts.unchanged == 28)
    #expect(Set(report.changes.map(\.id)) == ["r1", "r20", "new"])
    #expect(try await fixture.stored() == before)
    let after = try await fixture.database.lastRun(account: "default", resource: .invoices)
    #expect(after?.startedAt == runs?.startedAt)
    #expect(try await fixture.sync.run().counts.deleted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a dry run before the first run stores no account")
  func dryRunOfNothing() async throws {
    let server = ListServer(rows: 30)
    let fixture = try await ListFixture(.sweep, server)
    var options = SyncOptions()
    options.isDryRun = true
    #expect(try await fixture.sync.run(options).counts.inserted == 30)
    #expect(try await fixture.stored().isEmpty)
    #expect(try await fixture.sync.run().counts.inserted == 30)
    try await fixture.stop()
  }

  @Test("a run after a refused list reads everything again")
  func healed() async throws {
    let server = ListServer(rows: 50)
    let fixture = try await ListFixture(.sweep, server)
    _ = try await fixture.sync.run()
    let all = server.rows
    server.rows.removeFirst(45)
    await #expect(throws: SyncError.self) { _ = try await fixture.sync.run() }
    server.rows = all
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 0)
    #expect(report.counts.unchanged == 50)
    try await fixture.stop()
  }

  @Test("runs of other kinds leave an unfinished sweep whole")
  func unfinished() async throws {
    let server = ListServer(rows: 40)
    let fixture = try await ListFixture(.sweep, server)
    _ = try await fixture.sync.run()
    var options = SyncOptions()
    options.limit = 20
    _ = try await fixture.sync.run(options)
    options = SyncOptions()
    options.since = Timestamp(microsecondsSinceEpoch: 0)
    options.isDryRun = true
    #expect(try await fixture.sync.run(options).counts.unchanged == 40)
    options.isDryRun = false
    server.rows.insert(ListServer.Row(id: "new", version: 1, total: 1), at: 0)
    #expect(try await fixture.sync.run(options).counts.inserted == 1)
    #expect(try await fixture.sync.run().counts.deleted == 0)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("the list is right, even if it is older than the stored records")
  func older() async throws {
    let server = ListServer(rows: 3)
    let fixture = try await ListFixture(.sweep, server)
    server.edit("r1", total: 5)
    _ = try await fixture.sync.run()
    server.rows[1] = ListServer.Row(id: "r1", version: 1, total: 4)
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("a verification finds removed records even if a row cannot be read")
  func verificationWithUnreadable() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(.watermark, server)
    _ = try await fixture.sync.run()
    server.breakRow("r1")
    server.rows.removeLast()
    var options = SyncOptions()
    options.verifies = true
    let report = try await fixture.sync.run(options)
    #expect(report.verification?.deleted == 1)
    #expect(report.result == .partial && report.failures.map(\.id) == ["r1"])
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("the first of many unreadable rows are reported, and all are counted")
  func manyUnreadable() async throws {
    let server = ListServer(rows: 130)
    for number in 5..<125 { server.breakRow("r\(number)") }
    let fixture = try await ListFixture(.sweep, server)
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .unreadable)
    #expect(report.failureCount == 120 && report.failures.count == SyncReport.failuresLimit)
    #expect(report.failures.allSatisfy { $0.path == "total" } && report.counts.inserted == 10)
    try await fixture.stop()
  }
}
