import Foundation
import Models
import Storage
import TestSupport
import Testing

/// Documents that were made by hand, and real, anonymised ones: files of `APPCORE_TEST_DATA`, or
/// `../shared/data` beside the project.
enum SampleBooks {
  private static let folder =
    ProcessInfo.processInfo.environment["APPCORE_TEST_DATA"]
    ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
    + "/shared/data"

  static let isThere = FileManager.default.fileExists(atPath: folder + "/books/rows.json")
  static let hasReal = FileManager.default.fileExists(
    atPath: folder + "/xero/xero_invoice_data.csv")

  /// The documents that were made by hand.
  static func documents() throws -> [Invoice] {
    let data = try Data(contentsOf: URL(filePath: folder + "/books/rows.json"))
    return try JSONDecoder().decode([Row].self, from: data).map { try $0.invoice() }
  }

  /// The real documents, which have no payments of their own.
  static func real() throws -> [Invoice] {
    let lines = Dictionary(grouping: try table("xero_invoice_line_item_data")) {
      $0["invoice_id"] ?? ""
    }
    return try table("xero_invoice_data").map { row in
      func amount(_ key: String) throws -> ExactDecimal { try decimal(row[key]) }
      let isSale = row["type"] == "ACCREC"
      let statuses: [String: InvoiceStatus] = [
        "AUTHORISED": .open, "PAID": .paid, "VOIDED": .void, "DRAFT": .draft,
        "SUBMITTED": .scheduled, "DELETED": .deleted,
      ]
      let updated = (row["updated_date_utc"] ?? "").replacing(" UTC", with: "Z")
        .replacing(" ", with: "T")
      let id = try #require(row["invoice_id"])
      var invoice = Invoice(
        id: id, number: row["invoice_number"].flatMap { $0.isEmpty ? nil : $0 },
        type: isSale ? .invoice : .bill, status: statuses[row["status"] ?? ""] ?? .unknown,
        rawStatus: row["status"] ?? "", contact: Party(id: row["contact_id"]),
        currency: try #require(Currency(code: row["currency_code"] ?? "")),
        issueDate: CalendarDate(row["date"] ?? ""), dueDate: CalendarDate(row["due_date"] ?? ""),
        updatedAt: Timestamp(updated), subtotal: try amount("sub_total"),
        totalTax: try amount("total_tax"), total: try amount("total"),
        amountPaid: try amount("amount_paid"), amountCredited: try amount("amount_credited"),
        amountDue: try amount("amount_due"))
      invoice.paidDate = CalendarDate(row["fully_paid_on_date"] ?? "")
      if invoice.status == .open, let paid = invoice.amountPaid, !paid.isZero {
        invoice.status = .partiallyPaid
      }
      invoice.linesIncludeTax = row["line_amount_types"].map { $0 == "Inclusive" }
      invoice.lines = try (lines[id] ?? []).map { line in
        InvoiceLine(
          description: line["description"], taxType: line["tax_type"],
          taxAmount: try decimal(line["tax_amount"]), lineAmount: try decimal(line["line_amount"]),
          accountCode: line["account_code"].flatMap { $0.isEmpty ? nil : $0 })
      }
      return invoice
    }
  }

  private static func decimal(_ text: String?) throws -> ExactDecimal {
    try #require(ExactDecimal(text ?? ""))
  }

  private static func table(_ name: String) throws -> [[String: String]] {
    let text = try String(contentsOfFile: "\(folder)/xero/\(name).csv", encoding: .utf8)
    var rows = text.split(separator: "\n").map(DelimitedText.fields)
    let header = rows.removeFirst()
    return rows.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }
}

extension SampleBooks {
  private struct Row: Decodable {
    struct Line: Decodable {
      let text, tax, amount: String
      let account, taxtype: String?
    }

    struct Payment: Decodable {
      let id, date, amount, text: String
    }

    let id, kind, state, currency, date, updated, net, tax, total, paid, credited, left: String
    let number, cid, name, due, rounding: String?
    let inclusive: Bool?
    let lines: [Line]
    let payments: [Payment]

    func invoice() throws -> Invoice {
      let types: [String: InvoiceType] = [
        "sale": .invoice, "credit": .creditNote, "purchase": .bill, "purchasecredit": .billCredit,
      ]
      let statuses: [String: InvoiceStatus] = [
        "paid": .paid, "part": .partiallyPaid, "open": .open, "void": .void, "draft": .draft,
        "uncollectible": .writtenOff,
      ]
      var invoice = Invoice(
        id: id, number: number, type: try #require(types[kind]),
        status: try #require(statuses[state]), rawStatus: state,
        contact: Party(id: cid, name: name), currency: try #require(Currency(code: currency)),
        issueDate: CalendarDate(date), dueDate: due.flatMap { CalendarDate($0) },
        updatedAt: Timestamp(updated), subtotal: ExactDecimal(net), totalTax: ExactDecimal(tax),
        total: try decimal(total), amountPaid: ExactDecimal(paid),
        amountCredited: ExactDecimal(credited), amountDue: ExactDecimal(left))
      invoice.roundingAmount = rounding.flatMap { ExactDecimal($0) }
      invoice.linesIncludeTax = inclusive ?? false
      invoice.lines = lines.map {
        InvoiceLine(
          description: $0.text, taxType: $0.taxtype, taxAmount: ExactDecimal($0.tax),
          lineAmount: ExactDecimal($0.amount), accountCode: $0.account)
      }
      invoice.payments = try payments.map {
        InvoicePayment(
          id: $0.id, date: CalendarDate($0.date), amount: try decimal($0.amount),
          reference: $0.text)
      }
      return invoice
    }
  }
}

/// Lines of text with fields, some in quotes.
enum DelimitedText {
  static func fields(_ line: some StringProtocol) -> [String] {
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
