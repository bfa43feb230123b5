import Foundation
import Models

/// Reads invoices from the two tables of a Xero export.
enum CSVInvoices {
  static let invoiceFile = "xero_invoice_data.csv"
  static let lineFile = "xero_invoice_line_item_data.csv"

  /// Reads all invoices with their lines, which are in the order of their file.
  ///
  /// - Throws: ``SandboxError/unreadableFile(path:line:reason:)`` if a file is missing, is not a
  ///   table, lacks a column or value, or has a line without an invoice.
  static func read(directory: String) throws -> [LedgerInvoice] {
    let folder = URL(filePath: directory, directoryHint: .isDirectory)
    let lineTable = try CSVFile(folder.appending(path: lineFile))
    var lines: [String: [LedgerLine]] = [:]
    for row in lineTable.rows {
      lines[try row.text("invoice_id"), default: []].append(try line(row))
    }
    var known: Set<String> = []
    let invoices = try CSVFile(folder.appending(path: invoiceFile)).rows.map { row in
      let id = try row.text("invoice_id")
      guard known.insert(id).inserted else { throw row.unreadable("the invoice is there twice") }
      return try invoice(row, lines: lines[id] ?? [])
    }
    for row in lineTable.rows where !known.contains(try row.text("invoice_id")) {
      throw row.unreadable("the line belongs to no invoice")
    }
    return invoices
  }

  private static func invoice(_ row: CSVFile.Row, lines: [LedgerLine]) throws -> LedgerInvoice {
    LedgerInvoice(
      kind: try row.required("type", LedgerInvoice.Kind.init(xero:)),
      id: try row.text("invoice_id"),
      number: row.optional("invoice_number"),
      reference: row.optional("reference"),
      contact: LedgerContact(id: try row.text("contact_id")),
      date: try row.required("date", CalendarDate.init),
      dueDate: try row.value("due_date", CalendarDate.init),
      plannedPaymentDate: try row.value("planned_payment_date", CalendarDate.init),
      expectedPaymentDate: try row.value("expected_payment_date", CalendarDate.init),
      fullyPaidOn: try row.value("fully_paid_on_date", CalendarDate.init),
      status: try row.required("status", LedgerInvoice.Status.init(xero:)),
      taxBasis: try row.required("line_amount_types", LedgerInvoice.TaxBasis.init(xero:)),
      lines: lines,
      subTotal: try row.required("sub_total", ExactDecimal.init),
      totalTax: try row.required("total_tax", ExactDecimal.init),
      total: try row.required("total", ExactDecimal.init),
      amountDue: try row.required("amount_due", ExactDecimal.init),
      amountPaid: try row.required("amount_paid", ExactDecimal.init),
      amountCredited: try row.required("amount_credited", ExactDecimal.init),
      currencyCode: try row.text("currency_code"),
      currencyRate: try row.required("currency_rate", ExactDecimal.init),
      isDiscounted: try row.required("is_discounted", Bool.init),
      hasAttachments: try row.required("has_attachments", Bool.init),
      hasErrors: try row.required("has_errors", Bool.init),
      sentToContact: try row.value("sent_to_contact", Bool.init),
      url: row.optional("url"),
      updatedAt: try row.required("updated_date_utc", instant))
  }

  private static func line(_ row: CSVFile.Row) throws -> LedgerLine {
    LedgerLine(
      id: try row.text("line_item_id"),
      itemCode: row.optional("item_code"),
      description: row.optional("description"),
      unitAmount: try row.value("unit_amount", ExactDecimal.init),
      taxType: row.optional("tax_type"),
      taxAmount: try row.value("tax_amount", ExactDecimal.init),
      lineAmount: try row.value("line_amount", ExactDecimal.init),
      accountCode: row.optional("account_code"),
      quantity: try row.value("quantity", ExactDecimal.init),
      discountRate: try row.value("discount_rate", ExactDecimal.init))
  }

  /// Reads `2020-04-26 14:45:34.083 UTC`.
  private static func instant(_ text: String) -> Timestamp? {
    guard text.hasSuffix(" UTC") else { return nil }
    return Timestamp(text.dropLast(4) + "Z")
  }
}

private struct CSVFile {
  struct Row {
    let path: String
    fileprivate let row: LedgerTable.Row
    fileprivate let columns: Set<String>

    var line: Int { row.line }

    /// Returns the text of a column; `nil` if the table lacks the column or the row lacks the
    /// value.
    func optional(_ column: String) -> String? { row[column] }

    func text(_ column: String) throws -> String {
      try required(column) { $0 }
    }

    func required<Value>(_ column: String, _ read: (String) -> Value?) throws -> Value {
      guard columns.contains(column) else { throw unreadable("there is no column \(column)") }
      guard let value = try value(column, read) else { throw unreadable("\(column) is empty") }
      return value
    }

    func value<Value>(_ column: String, _ read: (String) -> Value?) throws -> Value? {
      guard let text = row[column], !text.isEmpty else { return nil }
      guard let value = read(text) else { throw unreadable("\(column) cannot be read") }
      return value
    }

    func unreadable(_ reason: String) -> SandboxError {
      .unreadableFile(path: path, line: row.line, reason: reason)
    }
  }

  let path: String
  let rows: [Row]

  init(_ url: URL) throws {
    let path = url.path(percentEncoded: false)
    do {
      let table = try LedgerTable(Array(Data(contentsOf: url)))
      rows = table.rows.map { Row(path: path, row: $0, columns: table.columns) }
    } catch let malformed as LedgerTable.Malformed {
      throw SandboxError.unreadableFile(path: path, line: malformed.line, reason: malformed.reason)
    } catch {
      throw SandboxError.unreadableFile(
        path: path, line: nil, reason: "the file cannot be read (\(error.localizedDescription))")
    }
    self.path = path
  }
}
