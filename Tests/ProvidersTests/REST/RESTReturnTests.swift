import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

/// Described lists of changes and of what was deleted, whose readings overlap.
@Suite(.timeLimit(.minutes(10))) struct RESTReturnTests {
  @Test("a record that was created again stays, however often its deletion is reported")
  func overlapping() async throws {
    let server = RESTServer(rows: 12)
    var resource = try RESTFixture.deletions(.offset, isOrdered: true)
    guard case .watermark(var watermark) = resource.changes else { throw CocoaError(.formatting) }
    watermark.overlap = .seconds(60)
    resource.changes = .watermark(watermark)
    let fixture = try await RESTFixture(resource, server)
    _ = try await fixture.sync.run()
    server.remove("r5")
    server.insert("r5")
    for run in 0..<4 {
      let report = try await fixture.sync.run()
      // The first of them hears of both.
      #expect(report.counts.deleted == (run == 0 ? 1 : 0), "run \(run)")
      #expect(try await fixture.stored() == server.rows, "run \(run)")
    }
    try await fixture.stop()
  }

  @Test(
    "runs with a limit reach the end, although each of them looks for deletions"
  )
  func limited() async throws {
    let server = RESTServer(rows: 45)
    let fixture = try await RESTFixture(RESTFixture.deletions(.page), server)
    _ = try await fixture.sync.run()
    for number in 0..<35 { server.edit("r\(number)") }
    var options = SyncOptions()
    options.limit = 10
    var runs = 0
    while try await fixture.sync.run(options).result != .complete, runs < 20 { runs += 1 }
    #expect(runs < 20)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a dry run counts a change once, though the list is read twice", arguments: [true, false])
  func dryRun(hasDetail: Bool) async throws {
    let server = RESTServer(rows: 45)
    var watermark = RESTWatermark(parameter: "since")
    watermark.overlap = .zero
    let fixture = try await RESTFixture(
      hasDetail
        ? RESTFixture.detailed(.page, .watermark(watermark))
        : RESTFixture.resource(RESTFixture.paging(.page), .watermark(watermark)), server)
    _ = try await fixture.sync.run()
    for number in 0..<25 { server.edit("r\(number)") }
    var options = SyncOptions()
    options.isDryRun = true
    let report = try await fixture.sync.run(options)
    #expect(report.counts.updated == 25)
    #expect(Set(report.changes.map(\.id)).count == report.changes.count)
    try await fixture.stop()
  }
}
