import Models

extension SampleInvoice {
  /// The same as the libraries read it.
  var invoice: Invoice {
    var invoice = Invoice(
      id: id, type: isBill ? .bill : .invoice,
      status: status == "PAID" ? .paid : status == "VOIDED" ? .void : .open, rawStatus: status,
      currency: Currency(code: currency) ?? .placeholder, total: Self.decimal(total))
    invoice.number = number
    invoice.contact = Party(id: contact.id, name: contact.name, email: contact.email)
    invoice.issueDate = CalendarDate(daysSinceEpoch: issueDay)
    invoice.dueDate = CalendarDate(daysSinceEpoch: dueDay)
    invoice.updatedAt = Timestamp(microsecondsSinceEpoch: Int64(updatedAt) * 1_000_000)
    invoice.reference = reference
    invoice.subtotal = Self.decimal(subtotal)
    invoice.totalTax = Self.decimal(tax)
    invoice.amountPaid = Self.decimal(paid)
    invoice.amountDue = Self.decimal(total - paid)
    invoice.lines = lines.map { line in
      InvoiceLine(
        id: line.id, description: line.description, quantity: ExactDecimal(line.quantity),
        unitAmount: Self.decimal(line.unitAmount), taxType: "OUTPUT2",
        taxAmount: Self.decimal(line.taxAmount), lineAmount: Self.decimal(line.amount),
        accountCode: line.accountCode)
    }
    return invoice
  }

  private static func decimal(_ hundredths: Int) -> ExactDecimal {
    ExactDecimal(text(hundredths)) ?? .zero
  }
}
