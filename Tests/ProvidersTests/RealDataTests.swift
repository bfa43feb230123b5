import Foundation
import Models
import Sandbox
import Storage
import Sync
import Testing

/// Real, anonymised invoices: `APPCORE_TEST_DATA`, or `../shared/data` beside the project.
enum RealInvoices {
  static let folder =
    (ProcessInfo.processInfo.environment["APPCORE_TEST_DATA"]
      ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
      + "/shared/data") + "/xero"

  static let isThere = FileManager.default.fileExists(atPath: folder + "/xero_invoice_data.csv")

  /// Rows by column name, read without anything of the program under test.
  static func rows(_ file: String) throws -> [[String: String]] {
    let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    var lines = text.split(separator: "\n").map { split(String($0)) }
    let header = lines.removeFirst()
    return lines.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  private static func split(_ line: String) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line where character != "\r" {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}

@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: RealInvoices.isThere, "the folder with real invoices is not there"))
struct RealDataTests {
  @Test("601 real invoices and 649 lines are stored as the tables have them, field by field")
  func everyField() async throws {
    let fixture = try await SyncFixture { $0.source = .csv(directory: RealInvoices.folder) }
    let report = try await fixture.sync.run()
    #expect(report.counts.inserted == 601)
    let stored = Dictionary(
      uniqueKeysWithValues: try await fixture.stored().map { ($0.id, $0) })
    let rows = try RealInvoices.rows("xero_invoice_data.csv")
    let lines = Dictionary(
      grouping: try RealInvoices.rows("xero_invoice_line_item_data.csv"),
      by: { $0["invoice_id"] ?? "" }
    )
    #expect(rows.count == 601 && stored.count == 601)
    #expect(stored.values.map(\.lines.count).reduce(0, +) == 649)
    for row in rows {
      let id = try #require(row["invoice_id"])
      let invoice = try #require(stored[id])
      compare(invoice, with: row)
      // Xero states tax by line only; the sums by code add up to the stated total.
      #expect(ExactDecimal.sum(invoice.taxByLine.map(\.taxAmount)) == invoice.totalTax)
      let wanted = lines[id] ?? []
      #expect(invoice.lines.count == wanted.count)
      for (line, row) in zip(invoice.lines, wanted) { compare(line, with: row) }
    }
    try await compareTotals(rows, fixture)
    try await fixture.stop()
  }

  private func compare(_ invoice: Invoice, with row: [String: String]) {
    func text(_ column: String) -> String? { row[column].flatMap { $0.isEmpty ? nil : $0 } }
    func digits(_ column: String) -> String? { text(column) }
    #expect(invoice.contact.id == text("contact_id"))
    #expect(invoice.issueDate?.description == text("date"))
    #expect(invoice.dueDate?.description == text("due_date"))
    #expect(invoice.home.inverseExchangeRate?.description == digits("currency_rate"))
    #expect(invoice.paidDate?.description == text("fully_paid_on_date"))
    #expect(invoice.hasAttachments?.description == text("has_attachments"))
    #expect(
      invoice.updatedAt
        == Timestamp(
          (row["updated_date_utc"] ?? "").replacingOccurrences(of: " UTC", with: "Z")
            .replacingOccurrences(of: " ", with: "T")))
    #expect(invoice.amountCredited?.description == digits("amount_credited"))
    #expect(invoice.amountDue?.description == digits("amount_due"))
    #expect(invoice.amountPaid?.description == digits("amount_paid"))
    #expect(invoice.subtotal?.description == digits("sub_total"))
    #expect(invoice.total.description == digits("total"))
    #expect(invoice.totalTax?.description == digits("total_tax"))
    #expect(invoice.currency.code == row["currency_code"])
    #expect(invoice.number.flatMap { $0.isEmpty ? nil : $0 } == text("invoice_number"))
    #expect(invoice.reference.flatMap { $0.isEmpty ? nil : $0 } == text("reference"))
    #expect(invoice.rawStatus == row["status"])
    #expect(invoice.type == (row["type"] == "ACCREC" ? .invoice : .bill))
  }

  private func compare(_ line: InvoiceLine, with row: [String: String]) {
    func text(_ column: String) -> String? { row[column].flatMap { $0.isEmpty ? nil : $0 } }
    #expect(line.id == text("line_item_id"))
    #expect(line.accountCode == text("account_code"))
    #expect(line.description.flatMap { $0.isEmpty ? nil : $0 } == text("description"))
    #expect(line.lineAmount?.description == text("line_amount"))
    #expect(line.quantity?.description == text("quantity"))
    #expect(line.taxAmount?.description == text("tax_amount"))
    #expect(line.taxType.flatMap { $0.isEmpty ? nil : $0 } == text("tax_type"))
    #expect(line.unitAmount?.description == text("unit_amount"))
  }

  /// Counts and sums by the database's own exact arithmetic, against those of the table.
  private func compareTotals(_ rows: [[String: String]], _ fixture: SyncFixture) async throws {
    let totals = try await fixture.database.invoiceTotals(account: "default")
    let byCurrency = Dictionary(grouping: rows) { $0["currency_code"] ?? "" }
    #expect(Set(totals.map(\.currency.code)) == Set(byCurrency.keys))
    for (code, rows) in byCurrency {
      let wanted = try rows.reduce(ExactDecimal.zero) {
        let total = try #require(ExactDecimal($1["total"] ?? ""))
        return try #require($0.adding(total))
      }
      let found = try totals.filter { $0.currency.code == code }.reduce(ExactDecimal.zero) {
        let total = try #require($1.total.exact)
        return try #require($0.adding(total))
      }
      #expect(found == wanted)
    }
    let voided = rows.filter { $0["status"] == "VOIDED" }.count
    #expect(totals.filter { $0.status == .void }.map(\.count).reduce(0, +) == voided)
    let bills = rows.filter { $0["type"] == "ACCPAY" }.count
    #expect(totals.filter { $0.type == .bill }.map(\.count).reduce(0, +) == bills)
  }
}
