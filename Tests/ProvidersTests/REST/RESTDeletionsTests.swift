import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Described lists of changes whose server also lists deletions.
@Suite(.timeLimit(.minutes(10))) struct RESTDeletionsTests {
  @Test(
    "records that the server lists as deleted are deleted, however many pages that takes",
    arguments: RESTPaging.Style.allCases)
  func deleted(style: RESTPaging.Style) async throws {
    let server = RESTServer(rows: 45)
    let fixture = try await RESTFixture(RESTFixture.deletions(style), server)
    let first = try await fixture.sync.run()
    #expect(first.counts.inserted == 45)
    #expect(server.requests.allSatisfy { !$0.contains("deleted") })
    for number in 10..<35 { server.remove("r\(number)") }
    server.edit("r40")
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 25)
    #expect(report.counts.updated == 1)
    #expect(try await fixture.stored() == server.rows)
    let stored = try await fixture.database.invoice("r10", account: nil)
    #expect(stored?.deletedReason == "deleted at the provider")
    // A reported deletion is not fetched again.
    let before = server.requests.count
    #expect(try await fixture.sync.run().counts.deleted == 0)
    #expect(server.requests.count - before <= 3, "\(server.requests.suffix(4))")
    server.remove("r2")
    #expect(try await fixture.sync.run().counts.deleted == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test(
    "a record deleted and created again between two runs is kept, even if both are listed",
    arguments: [true, false])
  func madeAgain(isOrdered: Bool) async throws {
    let server = RESTServer(rows: 12)
    let fixture = try await RESTFixture(
      RESTFixture.deletions(.offset, isOrdered: isOrdered), server)
    _ = try await fixture.sync.run()
    server.remove("r5")
    server.insert("r5")
    for _ in 0..<3 {
      #expect(try await fixture.sync.run().result == .complete)
      #expect(try await fixture.stored() == server.rows)
    }
    try await fixture.stop()
  }

  @Test(
    "a record that is deleted during the first reading is removed by the next run",
    arguments: [RESTPaging.Style.page, .token, .next], [true, false])
  func duringFirst(style: RESTPaging.Style, isOrdered: Bool) async throws {
    let server = RESTServer(rows: 45) { server, request in
      // In whichever order the list is read, one of them was read by then.
      if request == 5 { for id in ["r0", "r20", "r44"] { server.remove(id) } }
    }
    let fixture = try await RESTFixture(
      RESTFixture.deletions(style, isOrdered: isOrdered), server)
    _ = try await fixture.sync.run()
    #expect(server.requests.count >= 5)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("runs that are stopped at each page, and full ones, lose no deletion")
  func interrupted() async throws {
    let server = RESTServer(rows: 45)
    let fixture = try await RESTFixture(RESTFixture.deletions(.token), server)
    var options = SyncOptions()
    options.limit = 1
    var runs = 0
    while try await fixture.sync.run(options).result == .partial, runs < 100 {
      server.remove("r\(runs)")
      runs += 1
    }
    #expect(runs > 3 && runs < 100)
    for number in 15..<40 { server.remove("r\(number)") }
    while try await fixture.sync.run(options).result == .partial, runs < 100 { runs += 1 }
    #expect(runs < 100)
    #expect(try await fixture.stored() == server.rows)
    options = SyncOptions()
    options.isFull = true
    options.maximumDeletedPercent = 100
    server.remove("r44")
    #expect(try await fixture.sync.run(options).counts.deleted == 1)
    server.remove("r43")
    #expect(try await fixture.sync.run().counts.deleted == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test(
    "a list of bare identifiers is read, and a row without one is reported in every run")
  func identifiersAlone() async throws {
    let gone = Mutex(#"["r1","r2",null]"#)
    let server = AnsweringServer { path, _ in
      guard path != "/v1/deleted" else { return (200, #"{"gone":\#(gone.withLock { $0 })}"#) }
      let rows = ["r1", "r2", "r3", "r4"].map {
        #"{"id":"\#($0)","total":"1","updated_at":"2024-01-01T00:00:00Z"}"#
      }
      return (200, #"{"data":{"items":[\#(rows.joined(separator: ","))]}}"#)
    }
    var deletions = RESTDeletions(parameter: "deleted_since")
    deletions.path = "/deleted"
    deletions.rows = try RESTFixture.path("gone")
    deletions.id = .root
    var watermark = RESTWatermark(parameter: "since")
    watermark.deletions = deletions
    let resource = try RESTFixture.resource(
      RESTPaging(.none), .watermark(watermark), counts: false)
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(Invoice.self, provider: "acme", resource: resource, baseURL: url)
    try await server.run(feed) { sync, database in
      _ = try await sync.run()
      var options = SyncOptions()
      options.isDryRun = true
      let report = try await sync.run(options)
      #expect(report.counts.deleted == 2 && report.failures.map(\.path) == ["."])
      let partial = try await sync.run()
      #expect(partial.result == .partial)
      gone.withLock { $0 = #"["r4"]"# }
      #expect(try await sync.run().result == .complete)
    }
    // Without the server's clock and the instants of deletion, every deletion is reported again.
    let asked = Set(server.requests.filter { $0.hasPrefix("/v1/deleted") })
    #expect(asked == ["/v1/deleted?deleted_since=2023-12-31T23:59:00Z"], "\(asked)")
  }
}
