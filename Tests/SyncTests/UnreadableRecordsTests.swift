import Models
import Storage
import Sync
import SyncSupport
import Testing

/// Rows that stay unreadable: each is reported once, remembered, and read again when there is a
/// reason.
@Suite(.timeLimit(.minutes(10))) struct UnreadableRecordsTests {
  private static let hour = 60.0 * 60

  @Test("an unreadable row ends one run, and is fetched again in the next one and once a day")
  func onceADay() async throws {
    let server = ListServer(rows: 12)
    server.breakRow("r3")
    let fixture = try await ListFixture(.versions, server)
    func isFetched() async throws -> Bool {
      let before = server.requests.count
      let report = try await fixture.sync.run()
      #expect(report.result == .complete && report.ending == nil)
      #expect(report.failures.map(\.id) == ["r3"] && report.failures.first?.path == "total")
      #expect(report.failureCount == 1 && report.newFailureCount == 0)
      return server.requests.dropFirst(before).contains("/records?ids=r3")
    }
    let first = try await fixture.sync.run()
    #expect(first.ending == .unreadable && first.newFailureCount == 1)
    #expect(try await isFetched())
    #expect(try await !isFetched())
    fixture.timeOfDay.move(by: 23 * Self.hour)
    #expect(try await !isFetched())
    fixture.timeOfDay.move(by: 1.5 * Self.hour)
    #expect(try await isFetched())
    #expect(try await !isFetched())
    // A clock that was set back for years does not stop it.
    fixture.timeOfDay.move(by: -10_000 * Self.hour)
    #expect(try await isFetched())
    let records = try await fixture.database.unreadableRecords(of: .invoices, account: "default")
    #expect(records.map(\.id) == ["r3"] && records.map(\.path) == ["total"])
    #expect(records.first?.since == Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000))
    try await fixture.stop()
  }

  @Test("an unreadable row is news again if it has changed, and is forgotten once it can be read")
  func changed() async throws {
    let server = ListServer(rows: 12)
    server.breakRow("r3")
    let fixture = try await ListFixture(.versions, server)
    for _ in 0..<3 { _ = try await fixture.sync.run() }
    server.edit("r3", total: 5)
    let changed = try await fixture.sync.run()
    #expect(changed.ending == .unreadable && changed.newFailureCount == 1)
    server.mendRows()
    let mended = try await fixture.sync.run()
    #expect(mended.result == .complete && mended.failureCount == 0 && mended.counts.inserted == 1)
    #expect(try await fixture.stored() == Set(server.rows))
    #expect(try await fixture.database.unreadableCount(of: .invoices, account: "default") == 0)
    try await fixture.stop()
  }

  @Test("another version of the reader reads an unreadable row again at once")
  func otherReader() async throws {
    let server = ListServer(rows: 12)
    server.breakRow("r3")
    let fixture = try await ListFixture(.versions, server)
    for _ in 0..<3 { _ = try await fixture.sync.run() }
    server.mendRows()
    #expect(try await fixture.sync.run().failureCount == 1)
    #expect(try await fixture.other(reader: "2").run().failureCount == 0)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }

  @Test("an unreadable row that the list no longer holds is forgotten", arguments: [false, true])
  func gone(counts: Bool) async throws {
    let server = ListServer(rows: 12)
    server.breakRow("r3")
    let fixture = try await ListFixture(.sweep, server, counts: counts)
    for _ in 0..<2 { _ = try await fixture.sync.run() }
    server.rows.removeAll { $0.id == "r3" }
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.failureCount == 0 && report.counts.deleted == 0)
    try await fixture.stop()
  }

  @Test(
    "an unreadable row counts as seen, so that the list is read once", arguments: [false, true])
  func readOnce(isStored: Bool) async throws {
    let server = ListServer(rows: 25)
    let fixture = try await ListFixture(.sweep, server, counts: true)
    if isStored { _ = try await fixture.sync.run() }
    server.breakRow("r13")
    for number in 1...3 {
      let before = server.requests.count
      let report = try await fixture.sync.run()
      #expect(report.result == (number == 1 ? .partial : .complete))
      #expect(report.failures.map(\.id) == ["r13"])
      #expect(server.requests.dropFirst(before).count { $0.hasPrefix("/list") } == 3)
    }
    #expect(try await fixture.stored().count == (isStored ? 25 : 24))
    try await fixture.stop()
  }

  @Test("a row that an interrupted run could not read is reported by the next one")
  func interrupted() async throws {
    let server = ListServer(rows: 25)
    server.breakRow("r3")
    let fixture = try await ListFixture(.sweep, server)
    var options = SyncOptions()
    options.limit = 10
    let first = try await fixture.sync.run(options)
    #expect(first.ending == .limit && first.failures.map(\.id) == ["r3"])
    let second = try await fixture.sync.run()
    #expect(second.ending == .unreadable && second.newFailureCount == 1)
    #expect(try await fixture.sync.run().result == .complete)
    try await fixture.stop()
  }

  @Test("a dry run remembers nothing, and a whole comparison reads the row again")
  func otherRuns() async throws {
    let server = ListServer(rows: 12)
    server.breakRow("r3")
    let fixture = try await ListFixture(.versions, server)
    var dryRun = SyncOptions()
    dryRun.isDryRun = true
    #expect(try await fixture.sync.run(dryRun).ending == .unreadable)
    #expect(try await fixture.database.unreadableCount(of: .invoices, account: "default") == 0)
    for _ in 0..<3 { _ = try await fixture.sync.run() }
    #expect(try await fixture.sync.run(dryRun).newFailureCount == 0)
    server.mendRows()
    var full = SyncOptions()
    full.isFull = true
    #expect(try await fixture.sync.run(full).failureCount == 0)
    #expect(try await fixture.stored() == Set(server.rows))
    try await fixture.stop()
  }
}
