import Foundation
import JSONReading
import Models
import Networking
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Providers

/// Lists as servers in the field write them: odd empty lists, marks, ends, and broken pages.
@Suite(.timeLimit(.minutes(10))) struct RESTListShapeTests {
  private func feed(
    _ paging: RESTPaging, _ change: (inout RESTResource) throws -> Void = { _ in }
  ) throws -> RESTFeed<Invoice> {
    var resource = try RESTFixture.resource(paging, counts: false)
    try change(&resource)
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    return RESTFeed(Invoice.self, provider: "acme", resource: resource, baseURL: url)
  }

  // Edge case 63
  @Test(
    "a page with very many members beside its rows is read in linear time", .timeLimit(.minutes(1)))
  func members() throws {
    let others = (0..<100_000).map { "\"key\($0)\":0" }.joined(separator: ",")
    let body = Array("{\(others),\"items\":[\(Self.row("a"))],\"count\":1}".utf8)
    let path = try RESTFixture.path("items")
    let count = try RESTFixture.path("count")
    let page = try RESTPage(body, rows: path, id: try RESTFixture.path("id"), count: count)
    #expect(page.count == 1 && page.rows.last == page.rows.first)
    #expect(try page.number(at: count) == 1)
  }

  @Test("of a page with very many rows, the rows beyond those that are held are read the same way")
  func manyRows() async throws {
    let held = RESTRows.heldCount
    let path = try RESTFixture.path("items")
    let rows = (0..<held + 500).map { number in
      Self.row("r\(number)", total: number == held + 7 ? "?" : "\(number).00")
    }
    // The last but one cannot be read at all, and the last one is there twice.
    let all = rows + [#"{"id":"x","id":"y"}"#] + rows.suffix(1)
    let body = Array(#" {"items":[\#(all.joined(separator: " , "))]}"#.utf8)
    let page = try RESTPage(body, rows: path, id: try RESTFixture.path("id"))
    var ids: [String] = []
    let id = try RESTFixture.path("id")
    try page.rows.readEach { row in ids.append(id.value(in: row)?.word ?? "") }
    let isInOrder = ids == (0..<held + 500).map { "r\($0)" } + ["", "r\(held + 499)"]
    #expect(isInOrder && page.count == all.count)

    let server = AnsweringServer { _, _ in (200, Self.page(all)) }
    try await server.run(feed(RESTPaging(.none))) { sync, _ in
      let report = try await sync.run()
      #expect(report.counts.inserted == held + 499)
      #expect(Set(report.failures.map(\.id)) == ["r\(held + 7)", nil])
    }
  }

  @Test("a cancelled reading of many rows ends, and calls no row unreadable")
  func cancelledRows() async throws {
    let rows = (0..<RESTRows.heldCount + 20_000).map { Self.row("r\($0)") }
    let page = try RESTPage(
      Array(#"{"items":[\#(rows.joined(separator: ","))]}"#.utf8),
      rows: RESTFixture.path("items"), id: RESTFixture.path("id"))
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try page.rows.readEach { _ in }
    }
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  private static func row(_ id: String, total: String = "1.00", _ more: String = "") -> String {
    #"{"id":"\#(id)","total":"\#(total)","updated_at":"2024-01-01T00:00:00Z"\#(more)}"#
  }

  private static func page(_ rows: [String], _ meta: String = "") -> String {
    #"{"data":{"items":[\#(rows.joined(separator: ","))]}\#(meta)}"#
  }

  @Test("a refusal with status 200 is reported with the server's words")
  func refusal() async throws {
    let server = AnsweringServer { _, _ in (200, #"{"error":{"message":"The key has expired."}}"#) }
    try await server.run(feed(RESTPaging(.none))) { sync, _ in
      await #expect {
        _ = try await sync.run()
      } throws: { error in
        guard case SyncError.unreadable(_, let reason, let message) = error else { return false }
        return reason.contains("missing") && message?.text == "The key has expired."
      }
    }
  }

  private func isUnreadable(_ error: any Error) -> Bool {
    if case SyncError.unreadable = error { true } else { false }
  }

  @Test("an empty list may be an empty object, an empty text, false, null, or no content at all")
  func empty() async throws {
    for items in ["{}", #""""#, "false", "null", "[]"] {
      let server = AnsweringServer { _, _ in (200, #"{"data":{"items":\#(items)}}"#) }
      try await server.run(feed(RESTPaging(.none))) { sync, _ in
        let report = try await sync.run()
        #expect(report.result == .complete, "\(items)")
      }
    }
    let silent = AnsweringServer { _, query in
      query["page"] == "1" ? (200, Self.page([Self.row("a")])) : (204, "")
    }
    var paging = RESTPaging(.page)
    paging.parameter = "page"
    try await silent.run(feed(paging) { $0.count = try RESTFixture.path("count") }) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
    }
    try await silent.run(feed(paging)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 1)
    }
  }

  @Test("a list may be an object whose values are the rows; an error in its place may not")
  func rowsByKey() async throws {
    let items = #"{"7":\#(Self.row("a")),"9":\#(Self.row("b"))}"#
    let server = AnsweringServer { _, _ in (200, #"{"data":{"items":\#(items)}}"#) }
    try await server.run(feed(RESTPaging(.none))) { sync, _ in
      let report = try await sync.run()
      #expect(report.counts.inserted == 2)
    }
    for other in [#"{"error":{"code":7}}"#, #""no""#, "true", "7"] {
      let broken = AnsweringServer { _, _ in (200, #"{"data":{"items":\#(other)}}"#) }
      try await broken.run(feed(RESTPaging(.none))) { sync, _ in
        await #expect { _ = try await sync.run() } throws: { isUnreadable($0) }
      }
    }
  }

  @Test(
    "a flag, a word, a number or the next page's address may say that more pages follow",
    arguments: [
      ("true", "false"), ("1", "0"), (#""yes""#, #""no""#), ("2", "null"), (#""2""#, #""""#),
      (#""https://api.acme.example/v1/list?page=2""#, "null"), ("2", "-1"),
    ])
  func more(yes: String, no: String) async throws {
    let server = AnsweringServer { _, query in
      switch query["page"] {
      case "1": (200, Self.page([Self.row("a")], #","more":\#(yes)"#))
      case "2": (200, Self.page([Self.row("b")], #","more":\#(no)"#))
      default: (500, "")
      }
    }
    var paging = RESTPaging(.page)
    paging.parameter = "page"
    paging.more = try RESTFixture.path("more")
    try await server.run(feed(paging)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 2)
    }
  }

  @Test("a token of 0 or -1 ends a list", arguments: ["0", "-1", #""0""#, "null", "false"])
  func lastToken(text: String) async throws {
    let server = AnsweringServer { _, query in
      query["after"] == nil
        ? (200, Self.page([Self.row("a")], #","token":17"#))
        : (200, Self.page([Self.row("b")], #","token":\#(text)"#))
    }
    var paging = RESTPaging(.token)
    paging.parameter = "after"
    paging.field = try RESTFixture.path("token")
    try await server.run(feed(paging)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 2)
    }
  }

  @Test(
    "empty pages that each name another one end the run",
    arguments: [RESTPaging.Style.next, .token])
  func endless(style: RESTPaging.Style) async throws {
    let asked = Counter()
    let server = AnsweringServer { _, _ in
      asked.increment()
      return (200, Self.page([], #","next":"/v1/list?after=\#(asked.value)""#))
    }
    var paging = RESTPaging(style)
    paging.field = try RESTFixture.path("next")
    if style == .token { paging.parameter = "after" }
    try await server.run(feed(paging)) { sync, _ in
      await #expect { _ = try await sync.run() } throws: { "\($0)".contains("no rows") }
    }
    #expect(asked.value == 1_000)
  }

  @Test("the time of a deletion marks a row as deleted, whatever it is")
  func deletedAt() async throws {
    let marks = ["null", #""""#, "0", "false", #""0000-00-00 00:00:00""#]
    let live = marks.enumerated().map { Self.row("live\($0)", #","gone":\#($1)"#) }
    let isLater = Mutex(false)
    let server = AnsweringServer { _, _ in
      let mark = isLater.withLock { $0 } ? #""2024-05-31T08:00:00Z""# : "null"
      return (200, Self.page(live + [Self.row("other", #","gone":\#(mark)"#)]))
    }
    let feed = try feed(RESTPaging(.none)) {
      $0.deleted = RESTResource.Deleted(path: try RESTFixture.path("gone"), words: [])
    }
    try await server.run(feed) { sync, database in
      let first = try await sync.run()
      #expect(first.counts.inserted == 6)
      isLater.withLock { $0 = true }
      let second = try await sync.run()
      #expect(second.counts.deleted == 1)
      let stored = try await database.invoices(matching: InvoiceQuery()).count
      #expect(stored == 5)
    }
  }

  @Test("two records with one identifier on a page are reported, and the same record twice is not")
  func sameIdentifier() async throws {
    let twice = AnsweringServer { _, _ in
      (200, Self.page([Self.row("a"), Self.row("b"), Self.row("a")]))
    }
    try await twice.run(feed(RESTPaging(.none))) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 2)
    }
    let other = AnsweringServer { _, _ in
      (200, Self.page([Self.row("a"), Self.row("b"), Self.row("a", total: "2.00")]))
    }
    try await other.run(feed(RESTPaging(.none))) { sync, database in
      let report = try await sync.run()
      #expect(report.ending == .unreadable && report.failures.map(\.id) == ["a"])
      #expect(report.failures.first?.reason.contains("another row of this page") == true)
      let stored = try await database.invoiceCount(account: nil)
      #expect(stored == 2)
    }
  }

  @Test("a row that two readings of the list cannot read is reported once")
  func toldOnce() async throws {
    let server = AnsweringServer { _, query in
      switch query["page"] {
      case "1": (200, Self.page([Self.row("a"), Self.row("b", total: "x")], #","count":3"#))
      // The count changes while the pages are read, so they are read again.
      case "2": (200, Self.page([Self.row("c")], #","count":4"#))
      default: (200, Self.page([], #","count":3"#))
      }
    }
    var paging = RESTPaging(.page)
    paging.parameter = "page"
    try await server.run(feed(paging) { $0.count = try RESTFixture.path("count") }) { sync, _ in
      let report = try await sync.run()
      #expect(server.requests.count > 4)
      #expect(report.failureCount == 1 && report.failures.map(\.id) == ["b"])
    }
  }

  @Test(
    "a page that the server never sends hides no change on the pages before it",
    arguments: [(500, ""), (409, ""), (200, "{}")])
  func stuck(status: Int, body: String) async throws {
    let total = Mutex("1.00")
    let server = AnsweringServer { _, query in
      query["page"] == "1"
        ? (200, Self.page([Self.row("a", total: total.withLock { $0 }), Self.row("b")]))
        : (status, body)
    }
    var paging = RESTPaging(.page)
    paging.parameter = "page"
    try await server.run(feed(paging)) { sync, database in
      _ = try? await sync.run()
      let stored = try await database.invoiceCount(account: nil)
      #expect(stored == 2)
      total.withLock { $0 = "2.00" }
      for _ in 0..<2 { await #expect(throws: SyncError.self) { _ = try await sync.run() } }
      let totals = try await database.invoices(matching: InvoiceQuery()).map(\.invoice.total)
      #expect(totals.contains(ExactDecimal(2)))
    }
  }

  @Test(
    "a page that an interrupted list no longer has restarts the list", arguments: [404, 400])
  func shrunk(status: Int) async throws {
    let isShort = Mutex(false)
    let server = AnsweringServer { _, query in
      let isShort = isShort.withLock { $0 }
      return switch query["page"] {
      case "1": (200, Self.page([Self.row("a"), Self.row("b")], #","more":\#(!isShort)"#))
      case "2" where !isShort: (200, Self.page([Self.row("c")], #","more":false"#))
      default: (status, "")
      }
    }
    var paging = RESTPaging(.page)
    paging.parameter = "page"
    paging.more = try RESTFixture.path("more")
    try await server.run(feed(paging)) { sync, database in
      var options = SyncOptions()
      options.limit = 2
      let interrupted = try await sync.run(options)
      #expect(interrupted.result == .partial)
      isShort.withLock { $0 = true }
      let rest = try await sync.run()
      #expect(rest.result == .complete)
      let stored = try await database.invoiceCount(account: nil)
      #expect(stored == 2)
    }
  }
}
