import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Described lists whose rows lack a part, so that records are fetched individually.
@Suite(.timeLimit(.minutes(10))) struct RESTDetailTests {
  private func watermark(isOrdered: Bool = true) -> RESTChanges {
    var watermark = RESTWatermark(parameter: "since")
    if isOrdered { watermark.order = ["sort": "updated"] }
    return .watermark(watermark)
  }

  private func details(_ server: RESTServer) -> [String] {
    server.requests.filter { $0.hasPrefix("/v1/records/") }
  }

  @Test(
    "changed records are fetched individually, and unchanged ones are not",
    arguments: [RESTPaging.Style.offset, .token, .next], [true, false])
  func changes(style: RESTPaging.Style, isOrdered: Bool) async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(
      RESTFixture.detailed(style, watermark(isOrdered: isOrdered)), server)
    #expect(try await fixture.sync.run().counts.inserted == 25)
    #expect(try await fixture.stored() == server.rows)
    #expect(Set(details(server)).count == 25)
    // The list is read twice where rows can move, the records are not.
    #expect(details(server).count == 25)
    _ = try await fixture.sync.run()
    let before = details(server).count
    #expect(try await fixture.sync.run().counts.updated == 0)
    #expect(details(server).count == before)
    server.edit("r7")
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(details(server).dropFirst(before) == ["/v1/records/r7"])
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a record that changes again in the second of its fetch is fetched again")
  func sameSecond() async throws {
    let server = RESTServer(rows: 12)
    let fixture = try await RESTFixture(RESTFixture.detailed(.token, watermark()), server)
    _ = try await fixture.sync.run()
    server.editAhead("r3")
    _ = try await fixture.sync.run()
    server.alter("r3", total: 77)
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test("a record that changes again in the second of its fetch is fetched again after a long run")
  func sameSecondOfLongRun() async throws {
    let server = RESTServer(rows: 12) { server, number in
      if number == 6 { server.edit("r9") }
    }
    let fixture = try await RESTFixture(RESTFixture.detailed(.token, watermark()), server)
    _ = try await fixture.sync.run()
    server.alter("r9", total: 77)
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(try await fixture.stored() == server.rows)
    try await fixture.stop()
  }

  @Test(
    "a list without changes fetches only records of other versions, and deletes removed ones"
  )
  func sweep() async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(RESTFixture.detailed(.page, .sweep), server)
    _ = try await fixture.sync.run()
    #expect(details(server).count == 25)
    server.edit("r5")
    server.remove("r6")
    let report = try await fixture.sync.run()
    #expect(report.counts.deleted == 1 && report.counts.updated == 1)
    #expect(details(server).dropFirst(25) == ["/v1/records/r5"])
    #expect(try await fixture.stored() == server.rows)
    var options = SyncOptions()
    options.isFull = true
    _ = try await fixture.sync.run(options)
    #expect(Set(details(server).dropFirst(26)).count == 24)
    try await fixture.stop()
  }

  @Test(
    "a record that is deleted between its listing and its reading is no failure",
    arguments: [404, 410])
  func gone(status: Int) async throws {
    for changes in [RESTChanges.sweep, watermark()] {
      let lists = Counter()
      let wire = AnsweringServer { path, _ in
        if path == "/v1/records/r1" { return (status, "") }
        guard path == "/v1/outline" else { return (200, Self.record(of: path)) }
        defer { lists.increment() }
        return (200, Self.list(lists.value == 0 ? ["r0", "r1", "r2"] : ["r0", "r2"]))
      }
      try await wire.run(feed(changes)) { sync, database in
        let report = try await sync.run()
        #expect(report.result == .complete && report.failureCount == 0)
        #expect(report.counts.inserted == 2 && lists.value >= 2)
        #expect(try await database.invoiceCount(account: nil) == 2)
      }
    }
  }

  private static func list(_ ids: [String]) -> String {
    let rows = ids.map { #"{"id":"\#($0)","updated_at":"2024-01-01T00:00:00Z"}"# }
    return #"{"data":{"items":[\#(rows.joined(separator: ","))]}}"#
  }

  private static func record(of path: String) -> String {
    let id = path.split(separator: "/").last ?? ""
    return #"{"record":{"id":"\#(id)","total":"1.00","updated_at":"2024-01-01T00:00:00Z"}}"#
  }

  /// A list of one page.
  private func feed(
    _ changes: RESTChanges, query: RESTQuery = [:]
  ) throws -> RESTFeed<Invoice> {
    var resource = try RESTFixture.detailed(.none, changes)
    resource.count = nil
    resource.detail?.query = query
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    return RESTFeed(Invoice.self, provider: "acme", resource: resource, baseURL: url)
  }

  @Test(
    "a listed record that cannot be fetched or read is reported, and tried by the next run",
    arguments: [
      (404, "", "does not return it"), (500, "", "(status 500)"),
      (403, "", "rejects the request for it (status 403)"),
      (200, "<html>", "web page"),
      (200, "{}", "expected a record"),
      (200, #"{"record":{"id":"r0","total":"1.00"}}"#, "not the id that was requested"),
    ])
  func failures(status: Int, body: String, reason: String) async throws {
    let isBroken = Mutex(true)
    let wire = AnsweringServer { path, _ in
      guard path != "/v1/outline" else { return (200, Self.list(["r0", "r1", "r2"])) }
      let isMet = path == "/v1/records/r1" && isBroken.withLock { $0 }
      return isMet ? (status, body) : (200, Self.record(of: path))
    }
    try await wire.run(feed(.sweep)) { sync, database in
      let report = try await sync.run()
      #expect(report.result == .partial && report.ending == .unreadable)
      #expect(report.failures.map(\.id) == ["r1"])
      let reported = report.failures.map { $0.path + " " + $0.reason }.joined()
      #expect(!reported.contains("html"))
      #expect(reported.contains(reason), "\(reported)")
      #expect(try await database.invoiceCount(account: nil) == 2)
      isBroken.withLock { $0 = false }
      #expect(try await sync.run().result == .complete)
      #expect(try await database.invoiceCount(account: nil) == 3)
    }
  }

  @Test("an identifier is one segment of the path, and leads nowhere else")
  func identifiers() async throws {
    let ids = ["a/b", "c d?e#f", "..", "ü+&"]
    let wire = AnsweringServer { path, _ in
      path == "/v1/outline" ? (200, Self.list(ids)) : (404, "")
    }
    try await wire.run(feed(.sweep, query: ["key": ["{id}"]])) { sync, _ in
      let report = try await sync.run()
      #expect(Set(report.failures.map(\.id)) == Set(ids))
      let reasons = report.failures.filter { $0.id == ".." }.map(\.reason)
      #expect(reasons.allSatisfy { !$0.contains("does not return it") })
    }
    let asked = Set(wire.requests.filter { $0.hasPrefix("/v1/records") })
    #expect(
      asked == [
        "/v1/records/a%2Fb?key=a/b", "/v1/records/c%20d%3Fe%23f?key=c d?e#f",
        "/v1/records/%C3%BC%2B%26?key=ü+&",
      ], "\(asked)")
  }

  @Test("records are fetched a few at a time")
  func concurrency() async throws {
    let server = RESTServer(rows: 25)
    let watch = ConcurrencyWatch(behind: server)
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let session = Session(
      name: "rest", configuration: SessionConfiguration(), middleware: [watch], logger: .silent)
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(
      Invoice.self, provider: "acme", resource: try RESTFixture.detailed(.page, .sweep),
      baseURL: url)
    let sync = ResourceSync(
      account: "default", feed: feed, session: session, store: database.invoiceStore,
      logger: .silent)
    #expect(try await sync.run().counts.inserted == 25)
    #expect(watch.most == 5)
    await session.shutdown()
    try await database.close()
  }

  /// Lets no request for a record pass before four others have come, and counts them.
  private final class ConcurrencyWatch: Middleware {
    private let server: RESTServer
    private let state = Mutex<(begun: Int, now: Int, most: Int)>((0, 0, 0))
    /// All batches are of five: 25 rows.
    private let batches = (0..<5).map { _ in Gate() }

    init(behind server: RESTServer) {
      self.server = server
    }

    var most: Int { state.withLock { $0.most } }

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      guard request.url.path().hasPrefix("/v1/records/") else {
        return try await server.send(request, next: next)
      }
      let number = state.withLock { state in
        state.begun += 1
        state.now += 1
        state.most = max(state.most, state.now)
        return state.begun
      }
      let batch = batches[min((number - 1) / 5, batches.count - 1)]
      if number.isMultiple(of: 5) { batch.open() }
      await batch.wait()
      defer { state.withLock { $0.now -= 1 } }
      return try await server.send(request, next: next)
    }
  }
}
