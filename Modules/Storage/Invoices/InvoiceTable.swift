import GRDB
import Models

/// The tables that invoices are stored in.
enum InvoiceTable: RecordTable {
  static let name = "invoice"

  static let columns = ColumnNames {
    addColumns(
      of: Invoice(
        id: "", type: .invoice, status: .unknown, rawStatus: "", currency: .placeholder,
        total: .zero),
      to: &$0)
  }.names

  static func write(_ invoice: Invoice, to buffer: inout ColumnBuffer) {
    addColumns(of: invoice, to: &buffer)
    writeParts(of: invoice, to: &buffer)
  }

  private static func addColumns(of invoice: Invoice, to row: inout some ColumnSink) {
    row.add("number", invoice.number)
    row.add("type", invoice.type.rawValue)
    row.add("status", invoice.status.rawValue)
    row.add("raw_status", invoice.rawStatus)
    row.add("contact_id", invoice.contact.id)
    row.add("contact_name", invoice.contact.name)
    row.add("contact_email", invoice.contact.email)
    row.add("contact_tax_number", invoice.contact.taxNumber)
    row.add("currency", invoice.currency.code)
    row.add("issue_date", invoice.issueDate)
    row.add("due_date", invoice.dueDate)
    row.add("period_start", invoice.periodStart)
    row.add("period_end", invoice.periodEnd)
    row.add("updated_at", invoice.updatedAt)
    row.add("version", invoice.version)
    row.add("line_total", invoice.lineTotal)
    row.add("allowance_total", invoice.allowanceTotal)
    row.add("charge_total", invoice.chargeTotal)
    row.add("subtotal", invoice.subtotal)
    row.add("total_tax", invoice.totalTax)
    row.add("total", invoice.total)
    row.add("amount_paid", invoice.amountPaid)
    row.add("amount_credited", invoice.amountCredited)
    row.add("rounding_amount", invoice.roundingAmount)
    row.add("amount_due", invoice.amountDue)
    row.add("reference", invoice.reference)
    row.add("order_number", invoice.orderNumber)
    row.add("lines_include_tax", invoice.linesIncludeTax)
  }

  static let search: SearchIndex? = .invoices

  static let identifiers: Schema.InvoiceIndex? = Schema.invoiceIdentifiers

  static func deletion(of invoice: Invoice) -> String? {
    invoice.status == .deleted ? "status \(invoice.rawStatus)" : nil
  }

  static func record(_ row: Int64, _ db: Database) throws -> Invoice? {
    let reader = try InvoiceReader(db, isWhole: true)
    let statement = try BoundStatement(db, InvoiceReader.selectRow)
    try statement.bind(row, at: 1)
    return try statement.first { columns in
      var values = RowValues(columns)
      return try reader.invoice(&values)
    }
  }
}
