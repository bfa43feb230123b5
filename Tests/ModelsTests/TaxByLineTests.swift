import Models
import Testing

/// The tax by code, where lines alone state it.
@Suite(.timeLimit(.minutes(10))) struct TaxByLineTests {
  private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  private func line(_ code: String?, _ amount: String, tax: String?) throws -> InvoiceLine {
    InvoiceLine(
      taxType: code, taxAmount: try tax.map(decimal), lineAmount: try decimal(amount))
  }

  private func invoice(_ lines: [InvoiceLine], includeTax: Bool? = false) throws -> Invoice {
    var invoice = Invoice(
      id: "a", type: .invoice, status: .open, rawStatus: "o",
      currency: try #require(Currency(code: "EUR")), total: try decimal("1"), lines: lines)
    invoice.linesIncludeTax = includeTax
    return invoice
  }

  @Test("lines of one code are added up to the digit, in the order of the codes")
  func sums() throws {
    let lines = [
      try line("OUTPUT", "100.10", tax: "19.019"), InvoiceLine(description: "Thank you"),
      try line("NONE", "5", tax: "0"), try line("OUTPUT", "-0.1", tax: "-0.019"),
    ]
    #expect(
      try invoice(lines).taxByLine == [
        TaxSubtotal(
          name: "OUTPUT", taxableAmount: try decimal("100.00"), taxAmount: try decimal("19")),
        TaxSubtotal(name: "NONE", taxableAmount: try decimal("5"), taxAmount: .zero),
      ])
  }

  @Test("the taxed amount excludes tax, and is absent if the lines do not state it")
  func taxable() throws {
    let lines = [try line("A", "119.00", tax: "19.00")]
    #expect(
      try invoice(lines, includeTax: true).taxByLine.first?.taxableAmount == decimal("100"))
    let unknown = try #require(try invoice(lines, includeTax: nil).taxByLine.first)
    #expect(try unknown.taxableAmount == nil && unknown.taxAmount == decimal("19"))
  }

  @Test("a line without its code or tax leaves no sum of the others")
  func incomplete() throws {
    let whole = try line("A", "1", tax: "0.19")
    for part in [try line(nil, "1", tax: "0.19"), try line("A", "1", tax: nil)] {
      #expect(try invoice([whole, part]).taxByLine.isEmpty)
    }
    #expect(try invoice([]).taxByLine.isEmpty)
  }
}
