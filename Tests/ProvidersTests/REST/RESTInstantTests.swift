import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

/// Described lists that are read in the order of change: instants that fill pages, rows dated ahead
/// of time, and rows that are removed without a report.
@Suite(.timeLimit(.minutes(10))) struct RESTInstantTests {
  private func resource(
    _ style: RESTPaging.Style, isOrdered: Bool = true
  ) throws -> RESTResource {
    var watermark = RESTWatermark(parameter: "since")
    if isOrdered { watermark.order = ["sort": "updated"] }
    watermark.overlap = .zero
    var resource = try RESTFixture.resource(RESTFixture.paging(style), .watermark(watermark))
    if style == .cursor || style == .token { resource.query = ["keyset": ["1"]] }
    return resource
  }

  @Test(
    "a row that is skipped inside an instant that fills pages is not deleted",
    arguments: [RESTPaging.Style.offset, .next, .link])
  func skippedInsideInstant(style: RESTPaging.Style) async throws {
    let sweeps = Counter()
    let server = RESTServer(rows: 25) { server, _ in
      let query = server.requests.last ?? ""
      guard sweeps.value == 1, query.contains("offset=10") || query.contains("page=2") else {
        return
      }
      sweeps.increment()
      // It leaves the instant, and draws those behind it over the edge of a page that was read.
      server.edit("r0")
    }
    server.align()
    let fixture = try await RESTFixture(resource(style), server)
    _ = try await fixture.sync.run()
    sweeps.increment()
    var options = SyncOptions()
    options.isFull = true
    let report = try await fixture.sync.run(options)
    #expect(sweeps.value == 2 && report.result == .complete && report.counts.deleted == 0)
    #expect(try await fixture.stored() == server.rows)
    // A removed row is deleted all the same.
    server.remove("r5")
    #expect(try await fixture.sync.run(options).counts.deleted == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test(
    "a row that moves to a page already read, inside an instant that fills pages, is synced",
    arguments: [RESTPaging.Style.page, .offset, .next, .link])
  func movedInsideInstant(style: RESTPaging.Style) async throws {
    let runs = Counter()
    let server = RESTServer(rows: 25) { server, _ in
      let query = server.requests.last ?? ""
      guard runs.value == 1, query.contains("offset=10") || query.contains("page=2") else { return }
      runs.increment()
      server.edit("r0")
    }
    let fixture = try await RESTFixture(resource(style), server)
    _ = try await fixture.sync.run()
    runs.increment()
    for number in 0..<25 { server.edit("r\(number)") }
    server.align()
    // Later than the instant, so that reading goes on behind it.
    for _ in 0..<3 { server.edit("r1") }
    let disturbed = try await fixture.sync.run()
    #expect(runs.value == 2 && disturbed.result == .complete)
    let calm = try await fixture.sync.run()
    #expect(calm.result == .complete)
    let stored = try await fixture.stored()
    #expect(stored == server.rows)
    try await fixture.stop()
  }

  @Test(
    "rows dated far ahead hide no later changes",
    arguments: RESTPaging.Style.allCases.filter { $0 != .none }, [true, false])
  func datedAhead(style: RESTPaging.Style, isOrdered: Bool) async throws {
    for ahead in [1, 15] {
      let server = RESTServer(rows: 35)
      for number in 0..<ahead { server.postdate("r\(number)") }
      let fixture = try await RESTFixture(resource(style, isOrdered: isOrdered), server)
      let first = try await fixture.sync.run()
      #expect(first.result == .complete && first.counts.inserted == 35)
      server.edit("r20")
      server.insert("new")
      #expect(try await fixture.sync.run().result == .complete)
      #expect(try await fixture.stored() == server.rows, "\(style) \(isOrdered) \(ahead)")
      for number in 18..<34 { server.edit("r\(number)") }
      #expect(try await fixture.sync.run().result == .complete)
      #expect(try await fixture.stored() == server.rows, "\(style) \(isOrdered) \(ahead)")
      try await fixture.stop()
    }
  }

  @Test("a row removed during prediction hides none, although the count agrees by accident")
  func removedDuringPrediction() async throws {
    let server = RESTServer(rows: 48) { server, request in
      if request == 2 { server.remove("r0") }
    }
    let fixture = try await RESTFixture(resource(.page), server)
    #expect(try await fixture.sync.run().result == .complete)
    let missing = Set(server.rows.map(\.id)).subtracting(try await fixture.stored().map(\.id))
    #expect(missing.isEmpty)
    try await fixture.stop()
  }
}
