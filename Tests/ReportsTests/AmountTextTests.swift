import Models
import Storage
import Testing

@testable import Reports

/// Amounts are shown with all their digits.
@Suite(.timeLimit(.minutes(1))) struct AmountTextTests {
  @Test(
    "thousands are separated, and decimals are at least the currency's",
    arguments: [
      ("0", "EUR", "0.00"), ("1234567.5", "EUR", "1 234 567.50"), ("-123", "EUR", "−123.00"),
      ("-1234.005", "EUR", "−1 234.005"), ("1000", "JPY", "1 000"), ("999", "TND", "999.000"),
      (
        "99999999999999999999999999999999999999.5", "USD",
        "99 999 999 999 999 999 999 999 999 999 999 999 999.50"
      ),
    ])
  func amounts(sum: String, code: String, text: String) throws {
    let shown = AmountText.text(
      try SampleReport.sum(sum), in: try #require(Currency(code: code)))
    #expect(shown == text.replacing(" ", with: "\u{202F}"))
  }

  @Test("a share is never rounded to all or nothing")
  func shares() throws {
    func share(_ part: String, _ whole: String) throws -> String {
      AmountText.share(try SampleReport.sum(part), of: try SampleReport.sum(whole))
        .replacing("\u{202F}", with: " ")
    }
    #expect(try share("1", "3") == "33 %" && share("0", "3") == "0 %" && share("3", "3") == "100 %")
    #expect(try share("1", "3000") == "< 1 %" && share("2999", "3000") == "> 99 %")
    #expect(try share("1", "0") == "" && share("-1", "3") == "")
    #expect(try share("41", "1") == "4 100 %" && share("1e20", "0.01") == "> 9 999 %")
  }

  @Test("counts have their noun in the right number")
  func counts() {
    #expect(AmountText.text(1, "document") == "1 document")
    #expect(AmountText.text(1_200, "document") == "1\u{202F}200 documents")
  }
}

/// A chart shows the latest months without gaps, and loses no amount.
@Suite(.timeLimit(.minutes(1))) struct MonthWindowTests {
  private func window(_ months: [String?]) throws -> MonthWindow {
    let section = try SampleReport.section("EUR", .sales, months: months.map { ($0, "2") })
    return MonthWindow(section.months, today: CalendarMonth(of: try SampleReport.query().day))
  }

  @Test("months without invoices are shown as empty")
  func gaps() throws {
    let window = try window(["2025-11", "2026-02"])
    #expect(window.months.map(\.month.description) == ["2025-11", "2025-12", "2026-01", "2026-02"])
    #expect(window.months.map(\.row.count) == [1, 0, 0, 1] && window.others.isEmpty)
  }

  @Test("older months, future months and invoices without a day have rows of their own")
  func others() throws {
    let window = try window(["2001-01", "2024-03", "2024-04", "2026-03", "2202-01", nil])
    #expect(window.months.count == 24)
    #expect(window.months.first?.month.description == "2024-04")
    #expect(window.others.map(\.title) == ["Earlier", "Later", "No date"])
    #expect(window.others.map(\.count) == [2, 1, 1])
    #expect(window.others.first?.invoiced.description == "4")
    #expect(try self.window([nil]).months.isEmpty && self.window([nil]).others.count == 1)
    #expect(try self.window(["2202-01"]).months.count == 1)
  }
}
