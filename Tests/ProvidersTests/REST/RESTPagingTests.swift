import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

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

  @Test(
    "a page without rows ends no list whose server says that there is more",
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
    "where a page without rows leads nowhere and there is more, the run ends before anything is deleted",
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
    "a server that does not look at which page is asked for is read once",
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

  @Test("a server whose pages beyond the last are the last is not read for ever")
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
    "rows that have moved on by a page since a run was interrupted are no page that repeats",
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
