import Foundation
import GRDB
import Models

/// Reads the child rows of an invoice and the details of its parties.
struct InvoicePartReader {
  private let lines: Statement?
  private let taxes: Statement?
  private let payments: Statement?
  private let attachments: Statement?
  private let parties: Statement?
  private let allowancesAndCharges: Statement?

  init(_ db: Database) throws {
    /// Returns `nil` for an empty table, which would otherwise be queried in vain for each invoice.
    func children(_ table: String) throws -> Statement? {
      let isUsed = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table))"))
      guard isUsed == true else { return nil }
      return try db.cachedStatement(
        sql: "SELECT * FROM \(table) WHERE invoice = ? ORDER BY position")
    }
    lines = try children("line")
    taxes = try children("tax_subtotal")
    payments = try children("payment")
    attachments = try children("attachment")
    parties = try children("party")
    allowancesAndCharges = try children("allowance_charge")
  }

  func read(_ invoice: Int64, into parts: inout Invoice) throws {
    parts.lines = try all(lines, invoice) { row in
      var line = InvoiceLine(
        id: row["id"], description: row["description"],
        quantity: try StoredValue.decimal(row["quantity"]),
        unitAmount: try StoredValue.decimal(row["unit_amount"]),
        taxType: row["tax_type"], taxAmount: try StoredValue.decimal(row["tax_amount"]),
        lineAmount: try StoredValue.decimal(row["line_amount"]), accountCode: row["account_code"])
      line.discountAmount = try StoredValue.decimal(row["discount_amount"])
      line.taxRate = try StoredValue.decimal(row["tax_rate"])
      return line
    }
    parts.taxBreakdown = try all(taxes, invoice) { row in
      TaxSubtotal(
        name: row["name"], rate: try StoredValue.decimal(row["rate"]),
        taxableAmount: try StoredValue.decimal(row["taxable_amount"]),
        taxAmount: try StoredValue.required(StoredValue.decimal(row["tax_amount"])))
    }
    parts.payments = try all(payments, invoice) { row in
      Payment(
        id: row["id"], date: StoredValue.day(row["date"]),
        amount: try StoredValue.required(StoredValue.decimal(row["amount"])),
        reference: row["reference"])
    }
    parts.attachments = try all(attachments, invoice) { row in
      AttachmentReference(
        id: row["id"], fileName: row["file_name"], mediaType: row["media_type"], url: row["url"])
    }
    for (position, party) in try all(parties, invoice, { ($0["position"] as Int, party($0)) }) {
      if position == 0 { parts.contact.address = party.address } else { parts.ownParty = party }
    }
    parts.allowancesAndCharges = try all(allowancesAndCharges, invoice) { row in
      AllowanceCharge(
        id: row["id"], isCharge: row["is_charge"],
        amount: try StoredValue.required(StoredValue.decimal(row["amount"])),
        reason: row["reason"])
    }
  }

  private func party(_ row: Row) -> Party {
    var party = Party(
      id: row["id"], name: row["name"], email: row["email"], taxNumber: row["tax_number"])
    if let lines: String = row["address_lines"] {
      party.address = PostalAddress(
        lines: lines.isEmpty ? [] : lines.components(separatedBy: "\n"), city: row["city"],
        postalCode: row["postal_code"], region: row["region"], country: row["country"])
    }
    return party
  }

  private func all<Part>(
    _ statement: Statement?, _ invoice: Int64, _ read: (Row) throws -> Part
  ) throws -> [Part] {
    guard let statement else { return [] }
    var parts: [Part] = []
    let rows = try Row.fetchCursor(statement, arguments: [invoice])
    while let row = try rows.next() { parts.append(try read(row)) }
    return parts
  }
}
