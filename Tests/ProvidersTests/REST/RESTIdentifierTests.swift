import Models
import Networking
import Storage
import Sync
import TestSupport
import Testing

@testable import Providers

/// Several lists of a kind whose records may have the same identifiers.
@Suite(.timeLimit(.minutes(10))) struct RESTIdentifierTests {
  private static func resource(
    _ kind: Resource, prefix: String? = nil
  ) throws -> RESTResource {
    var resource = try RESTFixture.resource(RESTFixture.paging(.offset), kind: kind)
    resource.fields.fields["id"]?.prefix = prefix
    return resource
  }

  private func sync(
    _ resource: RESTResource, at server: RESTServer, into fixture: RESTFixture,
    _ options: SyncOptions = SyncOptions()
  ) async throws -> SyncReport {
    let session = Session(name: "other", middleware: [server], logger: .silent)
    do {
      let report = try await fixture.sync(described: resource, over: session).run(options)
      await session.shutdown()
      return report
    } catch {
      await session.shutdown()
      throw error
    }
  }

  @Test("a list with an identifier that another list has stored replaces no record")
  func shared() async throws {
    let invoices = RESTServer(rows: 3)
    let fixture = try await RESTFixture(Self.resource(.invoices), invoices)
    _ = try await fixture.sync.run()
    let bills = RESTServer(rows: 12)
    for number in 0..<12 { bills.edit("r\(number)") }
    for isDryRun in [true, false] {
      var options = SyncOptions()
      options.isDryRun = isDryRun
      await #expect {
        _ = try await sync(Self.resource(.bills), at: bills, into: fixture, options)
      } throws: { error in
        guard case StorageError.sharedIdentifier(let id, list: .bills, other: .invoices) = error
        else { return false }
        return ["r0", "r1", "r2"].contains(id)
      }
    }
    #expect(
      try await fixture.stored().filter { ["r0", "r1", "r2"].contains($0.id) } == invoices.rows)
    // With a prefix, both are stored, and stay so.
    for _ in 0..<2 {
      var options = SyncOptions()
      options.isFull = true
      #expect(
        try await sync(
          Self.resource(.bills, prefix: "bill-"), at: bills, into: fixture, options
        ).result == .complete)
      #expect(try await fixture.sync.run(options).result == .complete)
      let ids = try await fixture.stored().map(\.id)
      #expect(
        Set(ids) == Set(invoices.rows.map(\.id) + bills.rows.map { "bill-" + $0.id }),
        "\(ids.sorted())")
    }
    try await fixture.stop()
  }

  @Test("a record that has left its list may be in another one, which then has it alone")
  func moved() async throws {
    let drafts = RESTServer(rows: 3)
    let fixture = try await RESTFixture(Self.resource(.invoices), drafts)
    _ = try await fixture.sync.run()
    let others = RESTServer(rows: 0)
    drafts.remove("r1")
    others.insert("r1")
    #expect(try await fixture.sync.run().counts.deleted == 1)
    for _ in 0..<2 {
      _ = try await sync(Self.resource(.bills), at: others, into: fixture)
      #expect(try await fixture.sync.run().counts.deleted == 0)
      #expect(try await fixture.stored() == drafts.rows.union(others.rows))
    }
    // It now goes with its new list.
    others.remove("r1")
    #expect(
      try await sync(Self.resource(.bills), at: others, into: fixture).counts.deleted == 1)
    #expect(try await fixture.stored() == drafts.rows)
    try await fixture.stop()
  }

  @Test("a deletion that another list reports deletes no record")
  func foreignDeletion() async throws {
    let invoices = RESTServer(rows: 3)
    let fixture = try await RESTFixture(Self.resource(.invoices), invoices)
    _ = try await fixture.sync.run()
    var bills = try RESTFixture.deletions(.offset, kind: .bills)
    let server = RESTServer(rows: 0)
    _ = try await sync(bills, at: server, into: fixture)
    server.insert("r1")
    server.remove("r1")
    let report = try await sync(bills, at: server, into: fixture)
    #expect(report.counts.deleted == 0)
    #expect(try await fixture.stored() == invoices.rows)
    // A deletion of its own has the prefix of the list.
    bills.fields.fields["id"]?.prefix = "bill-"
    server.insert("r1")
    _ = try await sync(bills, at: server, into: fixture)
    #expect(try await fixture.stored().map(\.id).contains("bill-r1"))
    server.remove("r1")
    #expect(try await sync(bills, at: server, into: fixture).counts.deleted == 1)
    #expect(try await fixture.stored() == invoices.rows)
    try await fixture.stop()
  }

  @Test(
    "requests for single records and versions name the server's own identifiers",
    arguments: [true, false])
  func requests(isDetailed: Bool) async throws {
    let server = RESTServer(rows: 12)
    var resource =
      try isDetailed ? RESTFixture.detailed(.page, .sweep) : RESTFixture.versions()
    resource.fields.fields["id"]?.prefix = "bill-"
    let fixture = try await RESTFixture(resource, server)
    for _ in 0..<2 {
      #expect(try await fixture.sync.run().failures.isEmpty)
      #expect(
        try await Set(fixture.stored().map(\.id)) == Set(server.rows.map { "bill-" + $0.id }))
      server.edit("r3")
      server.remove("r4")
    }
    #expect(server.requests.allSatisfy { !$0.contains("bill") }, "\(server.requests)")
    try await fixture.stop()
  }
}
