import Models

/// How invoices are stored.
enum InvoiceTable: RecordTable {
  static let name = "invoice"

  static let columns = [
    "number", "type", "status", "raw_status", "contact_id", "contact_name", "contact_email",
    "contact_tax_number", "currency", "issue_date", "due_date", "period_start", "period_end",
    "updated_at", "version", "line_total", "allowance_total", "charge_total", "subtotal",
    "total_tax", "total", "amount_paid", "amount_credited", "rounding_amount", "amount_due",
    "reference", "order_number", "lines_include_tax",
  ]

  static let children = [
    ChildTable(
      name: "line", owner: "invoice",
      columns: [
        "id", "description", "quantity", "unit_amount", "discount_amount", "tax_rate", "tax_type",
        "tax_amount", "line_amount", "account_code",
      ]),
    ChildTable(
      name: "tax_subtotal", owner: "invoice",
      columns: ["name", "rate", "taxable_amount", "tax_amount"]),
    ChildTable(
      name: "payment", owner: "invoice", columns: ["id", "date", "amount", "reference"]),
    ChildTable(
      name: "attachment", owner: "invoice", columns: ["id", "file_name", "media_type", "url"]),
    ChildTable(
      name: "party", owner: "invoice",
      columns: [
        "id", "name", "email", "tax_number", "address_lines", "city", "postal_code", "region",
        "country",
      ]),
    ChildTable(
      name: "allowance_charge", owner: "invoice", columns: ["id", "is_charge", "amount", "reason"]),
  ]

  static let search: SearchIndex? = SearchIndex(
    name: "invoice_search", view: "invoice_words",
    columns: ["number", "contact", "reference", "lines"])

  static func deletion(of invoice: Invoice) -> String? {
    invoice.status == .deleted ? "status \(invoice.rawStatus)" : nil
  }

  static func write(_ invoice: Invoice, to buffer: inout ColumnBuffer) {
    buffer.append(invoice.number)
    buffer.append(invoice.type.rawValue)
    buffer.append(invoice.status.rawValue)
    buffer.append(invoice.rawStatus)
    buffer.append(invoice.contact.id)
    buffer.append(invoice.contact.name)
    buffer.append(invoice.contact.email)
    buffer.append(invoice.contact.taxNumber)
    buffer.append(invoice.currency.code)
    buffer.append(invoice.issueDate)
    buffer.append(invoice.dueDate)
    buffer.append(invoice.periodStart)
    buffer.append(invoice.periodEnd)
    buffer.append(invoice.updatedAt)
    buffer.append(invoice.version)
    buffer.append(invoice.lineTotal)
    buffer.append(invoice.allowanceTotal)
    buffer.append(invoice.chargeTotal)
    buffer.append(invoice.subtotal)
    buffer.append(invoice.totalTax)
    buffer.append(invoice.total)
    buffer.append(invoice.amountPaid)
    buffer.append(invoice.amountCredited)
    buffer.append(invoice.roundingAmount)
    buffer.append(invoice.amountDue)
    buffer.append(invoice.reference)
    buffer.append(invoice.orderNumber)
    buffer.append(invoice.linesIncludeTax)
    writeParts(of: invoice, to: &buffer)
  }

  static func writeWords(of invoice: Invoice, to buffer: inout ColumnBuffer) {
    buffer.append(invoice.number)
    buffer.append(invoice.contact.name)
    buffer.append("\(invoice.reference ?? "") \(invoice.orderNumber ?? "")")
    buffer.append(joining: invoice.lines.lazy.map(\.description))
  }

  static func searchOrder(of invoice: Invoice) -> Int64 {
    invoice.issueDate.map { Int64(($0.year * 100 + $0.month) * 100 + $0.day) } ?? 0
  }
}
