import Models

extension LedgerInvoice {
  /// The invoice as the model that is common to all providers.
  ///
  /// It is deliberately independent of the sync engine: a comparison of a mapping with itself would
  /// find no mistakes.
  var model: Invoice? {
    guard let currency = Currency(code: currencyCode) else { return nil }
    var invoice = Invoice(
      id: id,
      number: number,
      type: modelType,
      status: modelStatus,
      rawStatus: status.xero,
      contact: Party(id: contact.id, name: contact.name, email: contact.emailAddress.filled),
      currency: currency,
      issueDate: date,
      dueDate: dueDate,
      updatedAt: updatedAt,
      subtotal: subTotal,
      totalTax: totalTax,
      total: total,
      amountPaid: amountPaid,
      amountCredited: amountCredited,
      amountDue: amountDue,
      reference: reference.filled,
      lines: lines.map(\.model))
    invoice.linesIncludeTax = taxBasis == .inclusive
    return invoice
  }

  private var modelType: InvoiceType {
    switch kind {
    case .sale: .invoice
    case .bill: .bill
    case .saleCredit: .creditNote
    case .billCredit: .billCredit
    }
  }

  private var modelStatus: InvoiceStatus {
    switch status {
    case .draft: .draft
    case .scheduled: .scheduled
    case .open: amountPaid.isZero && amountCredited.isZero ? .open : .partiallyPaid
    case .paid: .paid
    case .void: .void
    case .deleted: .deleted
    }
  }
}

extension LedgerLine {
  var model: InvoiceLine {
    InvoiceLine(
      id: id,
      description: description.filled,
      quantity: quantity,
      unitAmount: unitAmount,
      taxType: taxType,
      taxAmount: taxAmount,
      lineAmount: lineAmount,
      accountCode: accountCode)
  }
}

extension String? {
  /// The text; `nil` if it is empty, which a provider may send for a text that a record lacks.
  fileprivate var filled: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
