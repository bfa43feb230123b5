import Models
import Testing

/// The amount that an invoice asks of its buyer, and the days on which it is overdue.
@Suite(.timeLimit(.minutes(10))) struct InvoiceTests {
  private func invoice(
    _ status: InvoiceStatus, due: ExactDecimal? = nil, on day: String? = "2024-05-31"
  ) throws -> Invoice {
    Invoice(
      id: "a", type: .invoice, status: status, rawStatus: "",
      currency: try #require(.init(code: "EUR")),
      dueDate: day.flatMap { CalendarDate($0) }, total: try #require(ExactDecimal("10.00")),
      amountDue: due)
  }

  @Test("an open invoice waits for its total if the provider does not state an amount due")
  func amountDue() throws {
    #expect(try invoice(.open).amountDueMoney?.description == "10.00 EUR")
    #expect(try invoice(.open, due: ExactDecimal("3")).amountDueMoney?.description == "3.00 EUR")
    #expect(try invoice(.partiallyPaid).amountDueMoney == nil)
  }

  @Test("only an unpaid invoice is overdue, from the day after it was due")
  func overdue() throws {
    let (day, next) = (
      try #require(CalendarDate("2024-05-31")), try #require(CalendarDate("2024-06-01"))
    )
    for status in InvoiceStatus.allCases {
      let isUnpaid = status == .open || status == .partiallyPaid
      #expect(try invoice(status).isOverdue(on: next) == isUnpaid)
      #expect(try !invoice(status).isOverdue(on: day))
    }
    #expect(try !invoice(.open, on: nil).isOverdue(on: next))
  }
}
