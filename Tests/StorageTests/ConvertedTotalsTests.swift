import Models
import TestSupport
import Testing

@testable import Storage

/// Sums in one currency, each invoice converted by its own rate.
@Suite(.timeLimit(.minutes(10))) struct ConvertedTotalsTests {
  private let eur = Currency(code: "EUR")
  private let scene = WholeInvoiceTests()

  private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  private func invoice(
    _ id: String, _ currency: String, _ total: String, tax: String? = nil,
    _ change: (inout Invoice) throws -> Void = { _ in }
  ) throws -> Invoice {
    var invoice = Invoice(
      id: id, type: .invoice, status: .open, rawStatus: "o",
      currency: try #require(Currency(code: currency)), issueDate: CalendarDate("2024-05-01"),
      totalTax: try tax.map(decimal), total: try decimal(total))
    try change(&invoice)
    return invoice
  }

  private func converted(
    _ invoices: [Invoice], by grouping: InvoiceGrouping = .year
  ) async throws -> ConvertedTotals<GroupTotals> {
    let database = try await LocalDatabase.inMemory()
    _ = try await scene.commit(invoices, to: database)
    let found = try await database.totals(
      matching: InvoiceQuery(), by: grouping, in: try #require(eur))
    try await database.close()
    return found
  }

  @Test("each invoice is converted by its own rate or home amounts, and the sum is rounded once")
  func sums() async throws {
    let found = try await converted([
      try invoice("a", "EUR", "10.00", tax: "1.60"),
      try invoice("b", "USD", "10.00", tax: "2.00") {
        ($0.home.currency, $0.home.exchangeRate) = (eur, try decimal("0.9155"))
      },
      try invoice("c", "USD", "10.00", tax: "2.00") {
        ($0.home.currency, $0.home.inverseExchangeRate) = (eur, try decimal("3"))
      },
      try invoice("d", "GBP", "10.00", tax: "2.00") {
        ($0.home.currency, $0.home.total) = (eur, try decimal("11.70"))
      },
    ])
    let sum = try #require(found.totals.first)
    #expect(found.totals.count == 1 && sum.currency == eur && sum.count == 4)
    // 10 + 9.155 + 3.3333… + 11.70 and 1.60 + 1.831 + 0.6666… + 2.34
    #expect(sum.total.description == "34.19" && sum.tax?.description == "6.44")
    #expect(sum.net?.description == "27.75" && sum.amountDue.description == "34.19")
    #expect(found.withoutRate.isEmpty)
  }

  @Test("invoices without a rate are counted apart, by currency and type")
  func withoutRate() async throws {
    let found = try await converted([
      try invoice("a", "EUR", "10.00"), try invoice("b", "USD", "10.00"),
      try invoice("c", "USD", "10.00"),
      try invoice("d", "USD", "10.00") { $0.type = .bill },
      try invoice("e", "GBP", "10.00") {
        ($0.home.currency, $0.home.exchangeRate) = (Currency(code: "CAD"), try decimal("1.7"))
      },
    ])
    #expect(found.totals.map(\.total.description) == ["10.00"])
    let left = Set(found.withoutRate.map { "\($0.count) \($0.type.rawValue) \($0.currency)" })
    #expect(left == ["2 invoice USD", "1 bill USD", "1 invoice GBP"])
  }

  @Test("a home currency that no invoice names is the one in which all have the rate 1")
  func unnamedHome() async throws {
    func rated(_ id: String, _ currency: String, _ rate: String) throws -> Invoice {
      try invoice(id, currency, "10.00") { $0.home.inverseExchangeRate = try decimal(rate) }
    }
    let known = try await converted([try rated("a", "EUR", "1.0"), try rated("b", "USD", "1.25")])
    #expect(known.totals.map(\.total.description) == ["18.00"] && known.withoutRate.isEmpty)
    // Somebody forgot the rate of a dollar invoice; another one tells.
    let forgotten = try await converted([
      try rated("a", "EUR", "1"), try rated("b", "USD", "1.25"), try rated("c", "USD", "1"),
    ])
    #expect(forgotten.totals.map(\.total.description) == ["28.00"])
    // Two currencies at par: either may be the home currency.
    let unclear = try await converted([
      try rated("a", "EUR", "1"), try rated("b", "GBP", "1"), try rated("c", "USD", "1.25"),
    ])
    #expect(unclear.totals.map(\.total.description) == ["10.00"])
    #expect(unclear.withoutRate.map(\.count).reduce(0, +) == 2)
  }

  @Test("taxes are converted by the rate of their invoice")
  func taxes() async throws {
    let database = try await LocalDatabase.inMemory()
    _ = try await scene.commit(
      [
        try invoice("a", "USD", "120.00", tax: "20.00") {
          ($0.home.currency, $0.home.exchangeRate) = (eur, try decimal("0.5"))
          $0.taxBreakdown = [
            TaxSubtotal(
              name: "VAT", rate: try decimal("20"), taxableAmount: try decimal("100.00"),
              taxAmount: try decimal("20.00"))
          ]
        },
        try invoice("b", "EUR", "12.00", tax: "2.00"), try invoice("c", "GBP", "12.00"),
      ], to: database)
    let found = try await database.taxTotals(matching: InvoiceQuery(), in: try #require(eur))
    #expect(found.totals.map(\.net?.description) == ["50.00", "10.00"])
    #expect(found.totals.map(\.taxAmount?.description) == ["10.00", "2.00"])
    #expect(found.withoutRate.map(\.currency.code) == ["GBP"])
    try await database.close()
  }
}
