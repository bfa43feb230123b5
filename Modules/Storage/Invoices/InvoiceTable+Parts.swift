import Models

// Child rows: values that an invoice has several of, or that few invoices have.
extension InvoiceTable {
  /// The child tables.
  enum Child: Int, CaseIterable {
    case line
    case taxSubtotal
    case payment
    case attachment
    case party
    case allowanceCharge

    fileprivate var table: ChildTable {
      switch self {
      case .line: child("line") { addColumns(of: InvoiceLine(), to: &$0) }
      case .taxSubtotal:
        child("tax_subtotal") { addColumns(of: TaxSubtotal(taxAmount: .zero), to: &$0) }
      case .payment: child("payment") { addColumns(of: Payment(amount: .zero), to: &$0) }
      case .attachment: child("attachment") { addColumns(of: AttachmentReference(), to: &$0) }
      case .party: child("party") { addColumns(of: Party(), to: &$0) }
      case .allowanceCharge:
        child("allowance_charge") {
          addColumns(of: AllowanceCharge(isCharge: false, amount: .zero), to: &$0)
        }
      }
    }

    private func child(_ name: String, _ write: (inout ColumnNames) -> Void) -> ChildTable {
      ChildTable(name: name, owner: "invoice", columns: ColumnNames(write).names)
    }
  }

  static let children = Child.allCases.map(\.table)

  static func writeParts(of invoice: Invoice, to buffer: inout ColumnBuffer) {
    for (position, line) in invoice.lines.enumerated() {
      buffer.beginChild(Child.line, at: position)
      addColumns(of: line, to: &buffer)
    }
    for (position, tax) in invoice.taxBreakdown.enumerated() {
      buffer.beginChild(Child.taxSubtotal, at: position)
      addColumns(of: tax, to: &buffer)
    }
    for (position, payment) in invoice.payments.enumerated() {
      buffer.beginChild(Child.payment, at: position)
      addColumns(of: payment, to: &buffer)
    }
    for (position, attachment) in invoice.attachments.enumerated() {
      buffer.beginChild(Child.attachment, at: position)
      addColumns(of: attachment, to: &buffer)
    }
    // The invoice row holds all of the contact but its address.
    if let address = invoice.contact.address {
      buffer.beginChild(Child.party, at: 0)
      addColumns(of: Party(address: address), to: &buffer)
    }
    if let party = invoice.ownParty {
      buffer.beginChild(Child.party, at: 1)
      addColumns(of: party, to: &buffer)
    }
    for (position, part) in invoice.allowancesAndCharges.enumerated() {
      buffer.beginChild(Child.allowanceCharge, at: position)
      addColumns(of: part, to: &buffer)
    }
  }

  private static func addColumns(of line: InvoiceLine, to row: inout some ColumnSink) {
    row.add("id", line.id)
    row.add("description", line.description)
    row.add("quantity", line.quantity)
    row.add("unit_amount", line.unitAmount)
    row.add("discount_amount", line.discountAmount)
    row.add("tax_rate", line.taxRate)
    row.add("tax_type", line.taxType)
    row.add("tax_amount", line.taxAmount)
    row.add("line_amount", line.lineAmount)
    row.add("account_code", line.accountCode)
  }

  private static func addColumns(of tax: TaxSubtotal, to row: inout some ColumnSink) {
    row.add("name", tax.name)
    row.add("rate", tax.rate)
    row.add("taxable_amount", tax.taxableAmount)
    row.add("tax_amount", tax.taxAmount)
  }

  private static func addColumns(of payment: Payment, to row: inout some ColumnSink) {
    row.add("id", payment.id)
    row.add("date", payment.date)
    row.add("amount", payment.amount)
    row.add("reference", payment.reference)
  }

  private static func addColumns(of attachment: AttachmentReference, to row: inout some ColumnSink)
  {
    row.add("id", attachment.id)
    row.add("file_name", attachment.fileName)
    row.add("media_type", attachment.mediaType)
    row.add("url", attachment.url)
  }

  /// Adds the columns of a party.
  ///
  /// The lines of an address without any are an empty text; those of a party without an address are
  /// `NULL`.
  private static func addColumns(of party: Party, to row: inout some ColumnSink) {
    row.add("id", party.id)
    row.add("name", party.name)
    row.add("email", party.email)
    row.add("tax_number", party.taxNumber)
    row.add("address_lines", party.address?.lines.joined(separator: "\n"))
    row.add("city", party.address?.city)
    row.add("postal_code", party.address?.postalCode)
    row.add("region", party.address?.region)
    row.add("country", party.address?.country)
  }

  private static func addColumns(of part: AllowanceCharge, to row: inout some ColumnSink) {
    row.add("id", part.id)
    row.add("is_charge", part.isCharge)
    row.add("amount", part.amount)
    row.add("reason", part.reason)
  }
}
