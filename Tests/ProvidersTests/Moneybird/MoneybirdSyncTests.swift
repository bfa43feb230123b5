import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Synchronization
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sandbox
@testable import Sync

/// Whole runs against Moneybird's shape.
@Suite(.timeLimit(.minutes(10))) struct MoneybirdSyncTests {
  @Test("the database equals the ledger after the first run, and after changes and deletions")
  func ledger() async throws {
    let fixture = try await LoopbackSync(.moneybird, invoices: 250) {
      MoneybirdFeed(MoneybirdInvoices.self, baseURL: $0.url)
    }
    let sales = expected(fixture).count
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.counts.inserted == sales && sales > 100)
    // The administrations, the list, a hundred at a time, and two lists of names.
    #expect(await fixture.requests() == 4 + (sales + 99) / 100 + 1)
    try await compare(fixture)

    let asked = await fixture.requests()
    let second = try await fixture.sync.run()
    #expect(second.result == .complete && second.counts == ChangeCounts())
    #expect(await fixture.requests() == asked + 1)

    fixture.server.changeInvoices(count: 12, seed: 1)
    fixture.server.voidInvoices(count: 3)
    fixture.server.deleteInvoices(count: 4)
    fixture.server.addInvoices(count: 2)
    #expect(try await fixture.sync.run().result == .complete)
    try await compare(fixture)
    // Within the same second, so under the same versions.
    fixture.server.changeInvoices(count: 250, seed: 2)
    #expect(try await fixture.sync.run().result == .complete)
    fixture.server.changeInvoices(count: 250, seed: 3)
    #expect(try await fixture.sync.run().result == .complete)
    try await compare(fixture)
    try await fixture.stop()
  }

  @Test("a change in the second that is being read is seen by the next run")
  func sameSecond() async throws {
    let total = Mutex("1.0")
    let replies = WrittenReplies { request, _ in
      let fields: HTTPFields = [.date: "Fri, 21 Aug 2026 13:50:20 GMT"]
      if request.url.path().hasSuffix("administrations.json") { return .init(#"[{"id":"1"}]"#) }
      guard request.method == .post else {
        return .init(#"[{"id":"5","version":1787320219}]"#, fields: fields)
      }
      let amount = total.withLock { $0 }
      return .init(
        """
        [{"id":"5","version":1787320219,"state":"open","currency":"EUR",
        "updated_at":"2026-08-21T13:50:19.129Z","total_price_incl_tax":"\(amount)"}]
        """, fields: fields)
    }
    let fixture = try await WrittenSync(
      MoneybirdFeed(
        MoneybirdInvoices.self, baseURL: try #require(URL(string: "https://moneybird.test"))),
      replies)
    #expect(try await fixture.sync.run().counts.inserted == 1)
    #expect(try await fixture.stored().first?.invoice.version == 1_787_320_218)
    total.withLock { $0 = "2.0" }
    #expect(try await fixture.sync.run().counts.updated == 1)
    #expect(try await fixture.stored().first?.invoice.total.description == "2.0")
    try await fixture.stop()
  }

  // Edge case 49
  @Test(
    "a rate limit ends the run, keeps stored records, and says when to come back",
    arguments: [
      ["Retry-After": "270"], ["Retry-After": "1787320500", "RateLimit-Reset": "4102444800"],
    ])
  func limited(fields: [String: String]) async throws {
    let replies = WrittenReplies { request, _ in
      if request.url.path().hasSuffix("administrations.json") { return .init(#"[{"id":"1"}]"#) }
      if request.method == .get { return .init(#"[{"id":"5","version":1}]"#) }
      var headers: HTTPFields = [:]
      for (name, value) in fields {
        if let name = HTTPField.Name(name) { headers[name] = value }
      }
      return .init(#"{"error":"Too many requests"}"#, status: 429, fields: headers)
    }
    let fixture = try await WrittenSync(
      MoneybirdFeed(
        MoneybirdInvoices.self, baseURL: try #require(URL(string: "https://moneybird.test"))),
      replies)
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .rateLimit)
    let reset = fields["RateLimit-Reset"] == nil ? nil : "2100-01-01T00:00:00Z"
    #expect(report.retryAt != nil && (reset == nil || report.retryAt?.description == reset))
    try await fixture.stop()
  }

  @Test("the sandbox lists this year only if there is no filter, as Moneybird does")
  func defaultFilter() throws {
    let today = try #require(CalendarDate("2026-06-01"))
    var generator = InvoiceGenerator(seed: 1)
    var invoice = generator.next(updatedAt: Timestamp(Date()))
    invoice.date = CalendarDate("2025-12-31")
    #expect(!(try MoneybirdFilter(nil, today: today).matches(invoice)))
    let wide = try MoneybirdFilter("state:all,period:19000101..99991231", today: today)
    #expect(wide.matches(invoice))
    invoice.date = nil
    #expect(wide.matches(invoice))
    #expect(!(try MoneybirdFilter("period:19000101..20251231", today: today).matches(invoice)))
    #expect(throws: MoneybirdFilter.Refused.self) {
      _ = try MoneybirdFilter("period:everything", today: today)
    }
  }

  /// Returns the ledger's invoices as Moneybird has them.
  private func expected(_ fixture: LoopbackSync) -> [Invoice] {
    fixture.ledger(ShownInvoices.moneybird)
  }

  private func compare(_ fixture: LoopbackSync) async throws {
    let found = try await fixture.live().map(ShownInvoices.comparableMoneybird)
    #expect(found == expected(fixture))
  }
}
