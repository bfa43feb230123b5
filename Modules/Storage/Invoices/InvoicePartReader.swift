import Foundation
import GRDB
import Models

/// Reads the child rows of an invoice and the details of its parties, each in the order in which
/// ``InvoiceTable`` writes its columns.
struct InvoicePartReader {
  private let lines: BoundStatement?
  private let taxes: BoundStatement?
  private let payments: BoundStatement?
  private let attachments: BoundStatement?
  private let parties: BoundStatement?
  private let allowancesAndCharges: BoundStatement?

  init(_ db: Database) throws {
    /// Returns `nil` for an empty table, which would otherwise be queried in vain for each invoice.
    func children(_ child: InvoiceTable.Child) throws -> BoundStatement? {
      let table = InvoiceTable.children[child.rawValue]
      let isUsed = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table.name))"))
      guard isUsed == true else { return nil }
      let columns = (["position"] + table.columns).joined(separator: ", ")
      return try BoundStatement(
        db,
        "SELECT \(columns) FROM \(table.name) WHERE \(table.owner) = ? ORDER BY position")
    }
    lines = try children(.line)
    taxes = try children(.taxSubtotal)
    payments = try children(.payment)
    attachments = try children(.attachment)
    parties = try children(.party)
    allowancesAndCharges = try children(.allowanceCharge)
  }

  func read(_ invoice: Int64, into parts: inout Invoice) throws {
    try forEach(lines, of: invoice) { row, _ in parts.lines.append(try Self.line(&row)) }
    try forEach(taxes, of: invoice) { row, _ in
      parts.taxBreakdown.append(
        TaxSubtotal(
          name: row.text(), rate: try row.decimal(), taxableAmount: try row.decimal(),
          taxAmount: try StoredValue.required(row.decimal())))
    }
    try forEach(payments, of: invoice) { row, _ in
      parts.payments.append(
        Payment(
          id: row.text(), date: row.day(), amount: try StoredValue.required(row.decimal()),
          reference: row.text()))
    }
    try forEach(attachments, of: invoice) { row, _ in
      parts.attachments.append(
        AttachmentReference(
          id: row.text(), fileName: row.text(), mediaType: row.text(), url: row.text()))
    }
    try forEach(parties, of: invoice) { row, position in
      let party = Self.party(&row)
      if position == 0 { parts.contact.address = party.address } else { parts.ownParty = party }
    }
    try forEach(allowancesAndCharges, of: invoice) { row, _ in
      parts.allowancesAndCharges.append(
        AllowanceCharge(
          id: row.text(), isCharge: try StoredValue.required(row.flag()),
          amount: try StoredValue.required(row.decimal()), reason: row.text()))
    }
  }

  private static func line(_ row: inout RowValues) throws -> InvoiceLine {
    var line = InvoiceLine()
    line.id = row.text()
    line.description = row.text()
    line.quantity = try row.decimal()
    line.unitAmount = try row.decimal()
    line.discountAmount = try row.decimal()
    line.taxRate = try row.decimal()
    line.taxType = row.text()
    line.taxAmount = try row.decimal()
    line.lineAmount = try row.decimal()
    line.accountCode = row.text()
    return line
  }

  private static func party(_ row: inout RowValues) -> Party {
    var party = Party(
      id: row.text(), name: row.text(), email: row.text(), taxNumber: row.text())
    if let lines = row.text() {
      party.address = PostalAddress(
        lines: lines.isEmpty ? [] : lines.components(separatedBy: "\n"), city: row.text(),
        postalCode: row.text(), region: row.text(), country: row.text())
    }
    return party
  }

  /// Calls a function with each child row of an invoice, and its position.
  private func forEach(
    _ statement: BoundStatement?, of invoice: Int64,
    _ body: (inout RowValues, _ position: Int64) throws -> Void
  ) throws {
    guard let statement else { return }
    try statement.bind(invoice, at: 1)
    try statement.forEachRow { columns in
      var row = RowValues(columns)
      let position = row.integer() ?? 0
      try body(&row, position)
    }
  }
}
