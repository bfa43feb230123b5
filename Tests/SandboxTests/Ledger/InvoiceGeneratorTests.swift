import Models
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct InvoiceGeneratorTests {
  private func invoices(_ count: Int, seed: UInt64 = 3) -> [LedgerInvoice] {
    var generator = InvoiceGenerator(seed: seed)
    return generator.invoices(count: count)
  }

  @Test("the same seed gives the same invoices, another seed others")
  func determinism() {
    #expect(invoices(300) == invoices(300))
    #expect(Set(invoices(50).map(\.id)).isDisjoint(with: invoices(50, seed: 4).map(\.id)))
  }

  @Test("the first numbers of a seed never change")
  func frozen() throws {
    // SplitMix64 of seed 0, as in the reference implementation.
    var random = SplitMix64(seed: 0)
    #expect(random.next() == 0xE220_A839_7B1D_CDAF)
    #expect(random.next() == 0x6E78_9E6A_A1B9_65F4)
  }

  @Test("identifiers are version 4 UUIDs and never repeat")
  func identifiers() {
    let rows = invoices(2_000)
    let all = rows.map(\.id) + rows.flatMap { $0.lines.map(\.id) }
    #expect(Set(all).count == all.count)
    let pattern = #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#
    #expect(all.allSatisfy { $0.wholeMatch(of: pattern) != nil })
  }

  @Test("the changes of generated invoices ascend, and some share an instant")
  func order() {
    let instants = invoices(2_000).map(\.updatedAt)
    #expect(instants == instants.sorted())
    let ties = zip(instants, instants.dropFirst()).count(where: { $0 == $1 })
    #expect((40...240).contains(ties))
  }

  @Test(
    "generated invoices have every type, status and tax statement, and odd amounts"
  )
  func variety() {
    let rows = invoices(3_000)
    #expect(Set(rows.map(\.kind)) == [.sale, .bill])
    #expect(Set(rows.map(\.status)) == Set(LedgerInvoice.Status.allCases))
    #expect(Set(rows.map(\.taxBasis)) == Set(LedgerInvoice.TaxBasis.allCases))
    #expect(Set(rows.map(\.currencyCode)).isSuperset(of: ["USD", "EUR", "JPY", "TND"]))
    #expect(rows.allSatisfy { (1...4).contains($0.lines.count) })
    #expect(rows.contains { $0.total.isNegative })
    #expect(rows.contains { $0.total.isZero })
    #expect(rows.contains { $0.lines.contains { $0.unitAmount?.scale == 4 } })
    #expect(rows.contains { $0.number == nil })
  }

  // Edge case 55
  @Test("amounts have the decimals of their currency")
  func decimals() {
    for invoice in invoices(1_000) {
      let digits = ["JPY": 0, "TND": 3][invoice.currencyCode] ?? 2
      #expect(
        [invoice.total, invoice.subTotal, invoice.amountDue].allSatisfy { $0.scale == digits })
    }
  }

  @Test("lines, taxes and payments of generated invoices add up")
  func arithmetic() throws {
    for invoice in invoices(1_000) {
      let lines = try sum(invoice.lines.map(\.lineAmount))
      let tax = try sum(invoice.lines.map(\.taxAmount))
      #expect(invoice.totalTax == tax)
      #expect(invoice.total == invoice.subTotal.adding(tax))
      #expect(lines == (invoice.taxBasis == .inclusive ? invoice.total : invoice.subTotal))
      if invoice.isLive {
        let parts = [invoice.amountDue, invoice.amountPaid, invoice.amountCredited]
        #expect(try sum(parts) == invoice.total)
      }
      if invoice.status == .paid { #expect(invoice.amountDue.isZero) }
    }
  }

  private func sum(_ amounts: [ExactDecimal?]) throws -> ExactDecimal {
    var total = ExactDecimal.zero
    for amount in amounts { total = try #require(amount.flatMap(total.adding)) }
    return total
  }
}
