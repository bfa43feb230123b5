import Models
import Storage
import Sync
import Synchronization
import Testing

/// Invoices that are odd in every way, read by a whole sync.
@Suite(.timeLimit(.minutes(10))) struct OddInvoiceTests {
  private static let digits = String(repeating: "9", count: 1_000_000)
  /// More levels than any stack has room for.
  private static let nest =
    String(repeating: #"[{"a":"#, count: 50_000) + "1" + String(repeating: "}]", count: 50_000)

  /// A change of the sound invoice.
  struct Oddity: Sendable, CustomTestStringConvertible {
    let part: String
    let odd: String
    /// The path with which the run reports the invoice; `nil` if the invoice can be read.
    let path: String?

    var testDescription: String { "\(part) → \(odd.prefix(60))" }

    init(_ part: String, _ odd: String, _ path: String? = nil) {
      self.part = part
      self.odd = odd
      self.path = path
    }
  }

  private func row(_ id: String) -> String { XeroPageFixture.row(id) }
  private func page(_ rows: [String]) -> String { XeroPageFixture.page(rows) }

  // Edge case 51
  @Test(
    "an invoice that cannot be read is named with its path, and the run is partial with the others",
    arguments: [
      Oddity(#""Total":1.10,"#, #""Total":"1,10","#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":null,"#, "Total"),
      Oddity(#""Total":1.10,"#, "", "Total"), Oddity(#""Total":1.10,"#, #""Total":[],"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":\#(digits),"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":0.\#(digits),"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":1e999999999,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":"NaN","#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":NaN,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":Infinity,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":-Infinity,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":+1,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":nan,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":1.10.10,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":01,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":\#(nest),"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Total":2.20,"#, "Total"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":"EURO","#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":"€","#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":978,"#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":null,"#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, "", "CurrencyCode"),
      Oddity(#""Type":"ACCREC""#, #""Type":"UNHEARD""#, "Type"),
      Oddity(#""/Date(1587912334083+0000)/""#, #""yesterday""#, "UpdatedDateUTC"),
    ])
  func unreadable(oddity: Oddity) async throws {
    let odd = row("odd").replacing(oddity.part, with: oddity.odd)
    try #require(odd != row("odd"))
    let fixture = try await XeroPageFixture(Array(page([row("a"), odd, row("b")]).utf8))
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .unreadable)
    #expect(report.failures.map(\.id) == ["odd"])
    #expect(report.failures.map(\.path) == [oddity.path])
    // What it says is not quoted.
    #expect(report.failures.allSatisfy { !$0.reason.isEmpty && $0.reason.utf8.count < 200 })
    #expect(try await fixture.stored().map(\.id) == ["a", "b"])

    // Once the server has corrected it.
    fixture.server.page.withLock { $0 = Array(page([row("a"), row("odd"), row("b")]).utf8) }
    let next = try await fixture.sync.run()
    #expect(next.result == .complete && next.counts.inserted == 1)
    #expect(try await fixture.stored().map(\.id) == ["a", "b", "odd"])
    try await fixture.stop()
  }

  @Test("an invoice that stays unreadable ends one run, and holds the changes back for one more")
  func staysUnreadable() async throws {
    let odd = row("odd").replacing(#""Type":"ACCREC""#, with: #""Type":"UNHEARD""#)
    let fixture = try await XeroPageFixture(Array(page([row("a"), odd, row("b")]).utf8))
    #expect(try await fixture.sync.run().ending == .unreadable)
    for _ in 0..<3 {
      let report = try await fixture.sync.run()
      #expect(report.result == .complete && report.failures.map(\.path) == ["Type"])
    }
    let conditions = fixture.server.conditions.withLock { $0 }
    #expect(conditions.prefix(2) == [nil, nil] && conditions.count == 4)
    #expect(conditions.suffix(2).allSatisfy { $0 != nil })
    try await fixture.stop()
  }

  // Edge case 51
  @Test(
    "an odd value that can be read, or is not used, costs nothing",
    arguments: [
      Oddity(#""Status":"PAID""#, #""Status":"UNHEARD-OF""#),
      Oddity(#""CurrencyCode":"EUR""#, #""CurrencyCode":"ZZZ""#),
      Oddity(#""CurrencyCode":"EUR""#, #""CurrencyCode":"eur""#),
      Oddity(#""InvoiceNumber":"N-1","#, ""),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":null"#),
      Oddity(#""Contact":{"ContactID":"c","Name":"n"},"#, ""),
      Oddity(#"{"ContactID":"c","Name":"n"}"#, "null"), Oddity(#""Name":"n""#, #""Name":null"#),
      Oddity(#""DateString":"2018-02-16T00:00:00""#, #""DateString":null"#),
      Oddity(#"[{"Description":"a","Quantity":1.5}]"#, "null"),
      Oddity(#""Quantity":1.5"#, #""Quantity":null"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":\#(digits),"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":[[{"a":null}],"\u0000"],"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":\#(nest),"#),
      Oddity(#""Quantity":1.5"#, #""Quantity":1.5,"Unheard":\#(nest)"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":NaN,"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":[-Infinity,+1,{"a":Infinity}],"#),
      Oddity(#""Quantity":1.5"#, #""Quantity":NaN"#),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":undefined"#),
      Oddity(#""Quantity":1.5"#, #""Quantity":\#(nest)"#),
      Oddity(#""Status":"PAID""#, #""Status":7"#),
      Oddity(#""Status":"PAID","#, ""),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":1"#),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":true"#),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":"\ud83d""#),
      Oddity(#""Name":"n""#, #""Name":{}"#),
      Oddity(#"{"ContactID":"c","Name":"n"}"#, "[]"),
      Oddity(#""Quantity":1.5"#, #""Quantity":"many""#),
      Oddity(#"[{"Description":"a","Quantity":1.5}]"#, "{}"),
      Oddity(#"{"Description":"a","Quantity":1.5}"#, "{},{},[]"),
      Oddity(#"{"Amount":1.10}"#, #"{"Amount":{}}"#),
      Oddity(#""Total":1.10,"#, #""Total":"1.10","#),
      Oddity(#""Total":1.10"#, #""Total":-0.0"#),
      Oddity(#""Total":1.10"#, #""Total":9007199254740993.25"#),
    ])
  func readable(oddity: Oddity) async throws {
    let odd = row("odd").replacing(oddity.part, with: oddity.odd)
    try #require(odd != row("odd"))
    let fixture = try await XeroPageFixture(Array(page([row("a"), odd, row("b")]).utf8))
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.failures.isEmpty)
    let stored = try await fixture.stored()
    #expect(stored.map(\.id) == ["a", "b", "odd"])
    let read = try #require(stored.last)
    if oddity.odd.contains("UNHEARD-OF") {
      #expect(read.status == .unknown && read.rawStatus == "UNHEARD-OF")
    }
    try await fixture.stop()
  }
}
