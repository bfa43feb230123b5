import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import TestSupport
import Testing

@testable import Providers

/// Described lists whose server does not turn pages as described.
@Suite(.timeLimit(.minutes(10))) struct RESTPagingTests {
  private func feed(_ paging: RESTPaging, counts: Bool = false) throws -> RESTFeed<Invoice> {
    guard let url = URL(string: "https://api.acme.example/v1") else {
      throw CocoaError(.formatting)
    }
    return RESTFeed(
      Invoice.self, provider: "acme",
      resource: try RESTFixture.resource(paging, counts: counts), baseURL: url)
  }

  private func paging(_ style: RESTPaging.Style, more: Bool, total: Bool) throws -> RESTPaging {
    var paging = try RESTFixture.paging(style)
    paging.more = more ? try RESTFixture.path("meta.more") : nil
    paging.total = total ? try RESTFixture.path("meta.pages") : nil
    return paging
  }

  private static func body(
    _ rows: Range<Int>, more: Bool = true, pages: Int = 5, count: Int = 50
  ) -> String {
    let rows = rows.map { #"{"id":"r\#($0)","total":"1.00","updated_at":"2024-01-01T00:00:00Z"}"# }
    return """
      {"meta":{"count":\(count),"pages":\(pages),"more":\(more)},
      "data":{"items":[\(rows.joined(separator: ","))]}}
      """
  }

  private func isUnreadable(_ error: any Error) -> Bool {
    if case SyncError.unreadable = error { true } else { false }
  }

  /// Returns a server with pages of ten rows, whose answer to any page after the last is a status.
  private static func refusing(
    _ status: Int, rows: Int = 25,
    misses: @escaping @Sendable (_ start: Int) -> Bool = { _ in false }
  ) -> AnsweringServer {
    AnsweringServer { _, query in
      let start =
        query["offset"].flatMap { Int($0) } ?? ((query["page"].flatMap { Int($0) } ?? 1) - 1) * 10
      if start > 0, start >= rows || misses(start) { return (status, "{}") }
      return (200, body(start..<min(start + 10, rows), count: rows))
    }
  }

  @Test(
    "the refusal of the page after the last one ends a list with numbered pages",
    arguments: [RESTPaging.Style.page, .offset], [404, 400, 416, 422])
  func refusedEnd(style: RESTPaging.Style, status: Int) async throws {
    let server = Self.refusing(status)
    try await server.run(feed(paging(style, more: false, total: false))) { sync, _ in
      for run in 1...2 {
        let report = try await sync.run()
        #expect(report.result == .complete, "run \(run)")
        #expect(report.counts.inserted == (run == 1 ? 25 : 0) && report.counts.deleted == 0)
      }
    }
  }

  @Test("a page that is refused once is read, and one before others ends no list")
  func refusedWithin() async throws {
    let refusals = Counter()
    let once = Self.refusing(404) { start in
      guard start == 10, refusals.value == 0 else { return false }
      refusals.increment()
      return true
    }
    try await once.run(feed(paging(.page, more: false, total: false))) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 25)
    }
    // Nothing of the list can be read any more.
    let requests = Counter()
    let lost = AnsweringServer { _, query in
      requests.increment()
      let page = query["page"].flatMap { Int($0) } ?? 1
      return requests.value < 3
        ? (200, Self.body((page - 1) * 10..<page * 10)) : (404, "{}")
    }
    try await lost.run(feed(paging(.page, more: false, total: false))) { sync, _ in
      await #expect(throws: SyncError.self) { try await sync.run() }
    }
    // The server itself has said that the page exists.
    try await Self.refusing(404).run(feed(paging(.page, more: false, total: true))) { sync, _ in
      await #expect(throws: SyncError.self) { try await sync.run() }
    }
  }

  @Test("an unknown path is reported with the path and the key to correct")
  func unknownPath() async throws {
    let server = AnsweringServer { _, _ in (404, #"{"message":"no such route"}"#) }
    try await server.run(feed(paging(.page, more: false, total: false))) { sync, _ in
      await #expect {
        try await sync.run()
      } throws: { error in
        guard case SyncError.unknownAddress(let path, let key, let message) = error else {
          return false
        }
        return path == "/v1/list" && key.hasPrefix("providers.acme.resources.invoices.path")
          && message?.text == "no such route"
      }
    }
  }

  @Test("an unknown path of a shipped description is reported with the key of the account")
  func unknownShippedPath() async throws {
    let server = AnsweringServer { _, _ in (404, "{}") }
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(
      Invoice.self, provider: "acme",
      resource: try RESTFixture.resource(RESTPaging(.none), counts: false), baseURL: url,
      addressKey: "accounts.shop.baseURL", isShipped: true)
    try await server.run(feed) { sync, _ in
      await #expect { try await sync.run() } throws: { error in
        guard case SyncError.unknownAddress(_, let key, _) = error else { return false }
        return key == "accounts.shop.baseURL"
      }
    }
  }

  @Test(
    "a page without the rows is reported with the keys that it has, but not with data",
    arguments: [
      (#"{"invoices":[],"Ada Lovelace":1,"meta":{}}"#, "; keys there: invoices, meta"),
      (#"{"data":{"list":[],"17":1}}"#, "; keys there: list"), ("[]", "set rows: ."),
      (#"{"data":[]}"#, "set rows: data"), (#"{"data":{}}"#, "missing"),
    ])
  func absentKey(body: String, hint: String) async throws {
    let server = AnsweringServer { _, _ in (200, body) }
    try await server.run(feed(RESTPaging(.none))) { sync, _ in
      await #expect { try await sync.run() } throws: { error in
        guard case SyncError.unreadable(_, let reason, _) = error else { return false }
        return reason.hasSuffix(hint)
      }
    }
  }

  @Test("a page that is an object where the list is expected is reported with its keys")
  func wrappedRows() throws {
    var resource = try RESTFixture.resource(RESTPaging(.none), counts: false)
    resource.rows = .root
    #expect {
      _ = try RESTPage(Array(#"{"invoices":[{"id":"1"}]}"#.utf8), of: resource)
    } throws: { "\($0)".hasSuffix("expected a list; keys there: invoices") }
  }

  @Test(
    "an address of the next page that lost its port or scheme is asked at the configured server")
  func lostPort() throws {
    let base = try #require(URL(string: "https://api.acme.example:8443/v1"))
    let requests = RESTRequests(
      baseURL: base, headers: [:],
      resource: try RESTFixture.resource(RESTFixture.paging(.next)), tenantID: nil)
    for lost in [
      "https://api.acme.example/v1/list?page=2", "http://api.acme.example/v1/list?page=2",
    ] {
      #expect(
        try requests.address(lost, from: base).absoluteString
          == "https://api.acme.example:8443/v1/list?page=2")
    }
    for other in [
      "https://evil.example/v1/list", "https://api.acme.example/v2/list",
      "https://api.acme.example/v1/../v2/list", "https://api.acme.example.evil.example/v1/list",
    ] {
      #expect(throws: SyncError.self, "\(other)") { try requests.address(other, from: base) }
    }
  }

  @Test(
    "an empty page does not end a list whose server says that there is more",
    arguments: [true, false])
  func emptyPage(more: Bool) async throws {
    let server = AnsweringServer { _, query in
      switch query["page"] {
      case "1": (200, Self.body(0..<10, pages: 3))
      case "2": (200, Self.body(0..<0, pages: 3))
      default: (200, Self.body(20..<25, more: false, pages: 3))
      }
    }
    try await server.run(feed(paging(.page, more: more, total: !more))) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 15)
    }
  }

  @Test(
    "an empty page with no next one ends the run before deletions if there is more",
    arguments: [RESTPaging.Style.offset, .cursor], [true, false])
  func emptyEnd(style: RESTPaging.Style, more: Bool) async throws {
    // Of a cursor nothing but the flag says so.
    guard more || style == .offset else { return }
    let server = AnsweringServer { _, query in
      query["offset"] == "10" || query["after"] == "r9"
        ? (200, Self.body(0..<0)) : (200, Self.body(0..<10))
    }
    let paging = try paging(style, more: more, total: false)
    try await server.run(feed(paging, counts: !more)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
  }

  @Test(
    "a server that ignores the requested page is read once",
    arguments: [RESTPaging.Style.page, .offset, .cursor], [true, false])
  func ignored(style: RESTPaging.Style, total: Bool) async throws {
    guard !total || style == .page else { return }
    let asked = Counter()
    let server = AnsweringServer { _, _ in
      asked.increment()
      return asked.value < 20 ? (200, Self.body(0..<10)) : (500, "")
    }
    let paging = try paging(style, more: false, total: total)
    try await server.run(feed(paging)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
    #expect(server.requests.count < 6)
  }

  @Test(
    "a list whose pages always name a next one ends if a page says that no more follow",
    arguments: [RESTPaging.Style.next, .token])
  func alwaysNext(style: RESTPaging.Style) async throws {
    let server = AnsweringServer { _, query in
      let start = Int(query["after"] ?? "") ?? 0
      let next = style == .token ? "\(start + 10)" : "/v1/list?after=\(start + 10)"
      let body = Self.body(start..<start + 10, more: start < 20)
      return (200, #"{"next":"\#(next)","# + body.dropFirst())
    }
    var paging = RESTPaging(style)
    paging.field = try RESTFixture.path("next")
    if style == .token { paging.parameter = "after" }
    let endless = paging
    paging.more = try RESTFixture.path("meta.more")
    try await server.run(feed(paging)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 30)
    }
    let stuck = AnsweringServer { _, _ in
      (200, #"{"next":"/v1/list?after=1","# + Self.body(0..<1).dropFirst())
    }
    guard style == .next else { return }
    try await stuck.run(feed(endless)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { "\($0)".contains("set paging.more") }
    }
  }

  @Test("a page without the list's key ends a list that has a count, and none that has not")
  func absentRows() async throws {
    let server = AnsweringServer { _, query in
      query["page"] == "1" ? (200, Self.body(0..<10, count: 10)) : (200, #"{"meta":{"count":10}}"#)
    }
    let paging = try paging(.page, more: false, total: false)
    try await server.run(feed(paging, counts: true)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 10)
    }
    try await server.run(feed(paging, counts: false)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
    let empty = AnsweringServer { _, _ in (200, #"{"meta":{"count":0}}"#) }
    try await empty.run(feed(paging, counts: true)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete)
    }
    // The first page of a list that has records cannot lack them.
    let broken = AnsweringServer { _, _ in (200, #"{"meta":{"count":7}}"#) }
    try await broken.run(feed(paging, counts: true)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
  }

  /// Returns a server of pages of ten rows, with header fields that state the number of rows.
  private static func counting(
    _ headers: @escaping @Sendable (_ rows: Int) -> HTTPFields
  ) -> WrittenReplies {
    WrittenReplies { request, _ in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems
      let page = items?.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
      let rows = (page - 1) * 10..<min(page * 10, 25)
      return .init(Self.body(rows, more: false, pages: 0, count: 0), fields: headers(25))
    }
  }

  @Test("a header field can state the number of records, and that of pages")
  func headerCount() async throws {
    let (count, pages) = (HTTPField.Name("X-Total-Count"), HTTPField.Name("X-Pages"))
    var paging = RESTPaging(.page)
    paging.parameter = "page"
    paging.total = RESTPath(header: "x-pages")
    var resource = try RESTFixture.resource(paging)
    resource.count = RESTPath(header: "X-Total-Count")
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(Invoice.self, provider: "acme", resource: resource, baseURL: url)
    let server = Self.counting { rows in
      var fields = HTTPFields()
      if let count { fields[count] = "\(rows)" }
      if let pages { fields[pages] = "3" }
      return fields
    }
    let fixture = try await WrittenSync(feed, server)
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.inserted == 25)
    // Three pages and a count: without one, the pages would be read twice.
    #expect(server.requests.count == 4, "\(server.requests)")
    try await fixture.stop()

    let silent = try await WrittenSync(feed, Self.counting { _ in HTTPFields() })
    await #expect {
      _ = try await silent.sync.run()
    } throws: { error in
      guard case SyncError.unreadable(let part, _, _) = error else { return false }
      return part == "x-pages"
    }
    try await silent.stop()
  }

  @Test("the only row of a list may come without the list, unless it has no identifier")
  func bareRow() async throws {
    let row = #"{"id":"r1","total":"1.00","updated_at":"2024-01-01T00:00:00-0800"}"#
    let server = AnsweringServer { _, _ in (200, #"{"data":{"items":\#(row)}}"#) }
    try await server.run(feed(RESTPaging(.none))) { sync, database in
      let report = try await sync.run()
      #expect(report.counts.inserted == 1)
      let stored = try await database.invoices(matching: InvoiceQuery()).first?.invoice
      #expect(stored?.updatedAt == Timestamp("2024-01-01T08:00:00Z"))
    }
    let other = AnsweringServer { _, _ in (200, #"{"data":{"items":{"error":"no"}}}"#) }
    try await other.run(feed(RESTPaging(.none))) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
  }

  @Test("a server that repeats the last page beyond the end is not read for ever")
  func lastAgain() async throws {
    let server = AnsweringServer { _, query in
      let number = Int(query["page"] ?? "") ?? 1
      let page = min(number, 3)
      return (number < 20 ? 200 : 500, Self.body(page * 10..<page * 10 + 10))
    }
    let paging = try paging(.page, more: false, total: false)
    try await server.run(feed(paging)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
    #expect(server.requests.count == 4)
  }

  @Test(
    "rows that moved by a page since an interruption do not count as a repeated page",
    arguments: [RESTPaging.Style.page, .offset])
  func movedByAPage(style: RESTPaging.Style) async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(
      RESTFixture.resource(paging(style, more: false, total: false), counts: false), server)
    var options = SyncOptions()
    options.limit = 10
    let interrupted = try await fixture.sync.run(options)
    #expect(interrupted.result == .partial)
    for number in 0..<10 { server.insert("new\(number)") }
    let rest = try await fixture.sync.run()
    #expect(rest.result == .complete)
    let stored = try await fixture.stored()
    #expect(stored == server.rows)
    try await fixture.stop()
  }
}
