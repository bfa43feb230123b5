import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Synchronization
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sandbox
@testable import Sync

/// Whole runs against Square's shape.
@Suite(.timeLimit(.minutes(10))) struct SquareSyncTests {
  @Test(
    "the database equals the ledger after the first run, and after changes and deletions",
    arguments: [200, 37])
  func ledger(pageSize: Int) async throws {
    let fixture = try await LoopbackSync(.square, invoices: 100, tenants: 2) {
      SquareFeed(baseURL: $0.url, pageSize: pageSize)
    }
    let sales = expected(fixture).count
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.counts.inserted == sales && sales > 100)
    try await compare(fixture)
    let second = try await fixture.sync.run()
    #expect(second.result == .complete && second.counts.deleted == 0)
    #expect(second.counts.inserted + second.counts.updated == 0)

    fixture.server.changeInvoices(count: 12, seed: 1)
    fixture.server.voidInvoices(count: 3)
    fixture.server.deleteInvoices(count: 4)
    fixture.server.addInvoices(count: 2)
    #expect(try await fixture.sync.run().result == .complete)
    try await compare(fixture)
    try await fixture.stop()
  }

  @Test("an invoice that moves during a reading does not count as deleted")
  func moved() async throws {
    let rows = Mutex(["a", "b", "c", "d", "e"])
    let moves = Mutex(false)
    let replies = WrittenReplies { request, _ in
      if request.url.path() == "/v2/locations" { return .init(SquareSamples.locations) }
      let query = request.url.query() ?? ""
      guard query.contains("location_id=L1") else { return .init("{}") }
      let start = Int(query.split(separator: "cursor=").last ?? "") ?? 0
      let page = rows.withLock { Array($0.dropFirst(start).prefix(2)) }
      let count = rows.withLock { $0.count }
      if start == 0,
        moves.withLock({
          let now = $0
          $0 = false
          return now
        })
      {
        // After the first page: the last one becomes the first.
        rows.withLock { $0.insert($0.removeLast(), at: 0) }
      }
      let cursor = start + 2 < count ? #","cursor":"\#(start + 2)""# : ""
      let invoices = page.map { SquareSamples.invoice($0) }.joined(separator: ",")
      return .init(#"{"invoices":[\#(invoices)]\#(cursor)}"#)
    }
    let fixture = try await WrittenSync(
      SquareFeed(baseURL: try #require(URL(string: "https://square.test")), pageSize: 2), replies)
    #expect(try await fixture.sync.run().counts.inserted == 5)
    moves.withLock { $0 = true }
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 0)
    #expect(try await fixture.stored().allSatisfy { $0.deletedAt == nil })
    rows.withLock { $0.removeAll { $0 == "c" } }
    #expect(try await fixture.sync.run().counts.deleted == 1)
    try await fixture.stop()
  }

  @Test("a cursor that is forgotten in the middle restarts the list, and all records are stored")
  func forgotten() async throws {
    let replies = WrittenReplies { request, number in
      if request.url.path() == "/v2/locations" { return .init(SquareSamples.locations) }
      let query = request.url.query() ?? ""
      if number == 3 {
        return .init(#"{"errors":[{"code":"INVALID_CURSOR"}]}"#, status: 400)
      }
      guard query.contains("location_id=L1") else {
        return .init(#"{"invoices":[\#(SquareSamples.invoice("z"))]}"#)
      }
      return query.contains("cursor=")
        ? .init(#"{"invoices":[\#(SquareSamples.invoice("b"))]}"#)
        : .init(#"{"invoices":[\#(SquareSamples.invoice("a"))],"cursor":"x"}"#)
    }
    let fixture = try await WrittenSync(
      SquareFeed(baseURL: try #require(URL(string: "https://square.test"))), replies)
    let report = try await fixture.sync.run()
    #expect(report.result == .complete)
    #expect(try await fixture.stored().map(\.invoice.id) == ["a", "b", "z"])
    try await fixture.stop()
  }

  @Test("the newer version wins, and orders are fetched a hundred at a time")
  func orders() async throws {
    let amount = Mutex(100)
    let replies = WrittenReplies { request, _ in
      switch request.url.path() {
      case "/v2/locations": return .init(SquareSamples.locations)
      case "/v2/orders/batch-retrieve": return .init("{}")
      default:
        guard request.url.query()?.contains("location_id=L1") == true else { return .init("{}") }
        let value = amount.withLock { $0 }
        let rows = (0..<150).map {
          SquareSamples.invoice(
            "i\($0)", version: value, amount: value, #","order_id":"o\#($0)""#)
        }
        return .init(#"{"invoices":[\#(rows.joined(separator: ","))]}"#)
      }
    }
    let fixture = try await WrittenSync(
      SquareFeed(baseURL: try #require(URL(string: "https://square.test"))), replies)
    #expect(try await fixture.sync.run().counts.inserted == 150)
    let asked = replies.requests.filter { $0 == "POST /v2/orders/batch-retrieve" }
    #expect(asked.count == 2)
    let posts = replies.sent.filter { $0.method == .post }
    #expect(posts.allSatisfy { $0.isSafeToRetry })
    amount.withLock { $0 = 200 }
    #expect(try await fixture.sync.run().counts.updated == 150)
    #expect(try await fixture.stored().first?.invoice.total.description == "2.00")
    try await fixture.stop()
  }

  // Edge case 49
  @Test("a rate limit during the fetch of orders stores no invoice without its lines")
  func limited() async throws {
    let replies = WrittenReplies { request, _ in
      switch request.url.path() {
      case "/v2/locations": .init(SquareSamples.locations)
      case "/v2/orders/batch-retrieve":
        .init(
          #"{"errors":[{"code":"RATE_LIMITED"}]}"#, status: 429, fields: [.retryAfter: "90"])
      default:
        .init(
          #"{"invoices":[\#(SquareSamples.invoice("a", #","order_id":"o""#))]}"#)
      }
    }
    let fixture = try await WrittenSync(
      SquareFeed(baseURL: try #require(URL(string: "https://square.test"))), replies)
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .rateLimit)
    #expect(try await fixture.stored().isEmpty)
    try await fixture.stop()
  }

  /// Returns the ledgers' invoices as Square has them.
  private func expected(_ fixture: LoopbackSync) -> [Invoice] {
    let all = fixture.server.state.tenants.flatMap { $0.ledger.all.compactMap(\.model) }
    return all.compactMap(ShownInvoices.square).sorted { $0.id < $1.id }
  }

  private func compare(_ fixture: LoopbackSync) async throws {
    let found = try await fixture.live().map(ShownInvoices.comparableSquare)
    #expect(found == expected(fixture))
  }
}
