import Models
import Testing

@testable import Storage

/// Reports made by hand.
enum SampleReport {
  /// A name that is markup, hidden direction marks and an escape sequence.
  static let hostile = "</bdi><script>alert('1')</script>&\"\u{202E}\u{1B}[31m\u{0}<img src=x>"

  static func query() throws -> InvoiceReportQuery {
    InvoiceReportQuery(day: try #require(CalendarDate("2026-03-15")))
  }

  static func sum(_ text: String) throws -> DecimalSum { try #require(DecimalSum(text)) }

  static func section(
    _ code: String, _ side: InvoiceReportSide, months: [(String?, String)], name: String = "Ada",
    account: String = "shop"
  ) throws -> InvoiceReportSection {
    var section = InvoiceReportSection(
      account: account, currency: try #require(Currency(code: code)), side: side)
    section.months = try months.map { month, amount in
      InvoiceReportMonth(
        month: month.flatMap { CalendarMonth($0) }, count: 1, invoiced: try sum(amount),
        paid: try sum("1"))
    }
    section.payments = [
      InvoiceReportPayments(month: CalendarMonth("2026-01"), count: 2, paid: try sum("12.5")),
      InvoiceReportPayments(month: nil, count: 1, paid: try sum("-3")),
    ]
    section.ageing = [
      InvoiceReportAgeing(age: .notDue, count: 1, due: try sum("2.5")),
      InvoiceReportAgeing(age: .over90, count: 2, due: try sum("1234567.895")),
    ]
    section.contacts = [
      InvoiceReportContact(id: "c", name: name, count: 2, invoiced: try sum("9")),
      InvoiceReportContact(id: "id-only", name: nil, count: 2, invoiced: try sum("5")),
      InvoiceReportContact(id: nil, name: nil, count: 2, invoiced: try sum("-1")),
    ]
    section.contactCount = 4
    section.unpaid = [
      InvoiceReportUnpaid(
        account: account, id: "1", number: name, type: .creditNote, contact: name, contactID: "c",
        issueDate: CalendarDate("2026-01-02"), dueDate: CalendarDate("2026-02-01"),
        total: try #require(ExactDecimal("-12")), due: nil)
    ]
    return section
  }

  static func report(
    _ sections: [InvoiceReportSection], accounts: [String] = ["shop"], day: CalendarDate? = nil
  ) throws -> InvoiceReport {
    InvoiceReport(
      day: try day ?? query().day, accounts: accounts,
      syncedAt: Timestamp("2026-03-14T23:59:59Z"), sections: sections,
      omittedCounts: [.deleted: 1, .void: 1234, .draft: 1])
  }

  /// A report with everything that a page can show.
  ///
  /// - Parameter accounts: its accounts, of which the last has the last section.
  static func whole(accounts: [String] = ["shop", hostile]) throws -> InvoiceReport {
    try report(
      [
        try section(
          "EUR", .sales, months: [("2025-12", "1234.5"), ("2026-02", "-40"), (nil, "1")]),
        try section("EUR", .purchases, months: [("2026-02", "40")]),
        try section(
          "JPY", .sales, months: [("2026-01", "900000")], name: hostile,
          account: accounts.last ?? ""),
      ], accounts: accounts)
  }
}
