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
      rawStatus: status,
      contact: Party(id: contact.id, name: contact.name, email: contact.emailAddress),
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
      reference: reference,
      lines: lines.map(\.model))
    invoice.linesIncludeTax = lineAmountTypes == "Inclusive"
    return invoice
  }

  private var modelType: InvoiceType {
    switch type {
    case "ACCPAY": .bill
    case "ACCPAYCREDIT": .billCredit
    case "ACCRECCREDIT": .creditNote
    default: .invoice
    }
  }

  private var modelStatus: InvoiceStatus {
    switch status {
    case "DRAFT": .draft
    case "SUBMITTED": .scheduled
    case "AUTHORISED": amountPaid.isZero && amountCredited.isZero ? .open : .partiallyPaid
    case "PAID": .paid
    case "VOIDED": .void
    case "DELETED": .deleted
    default: .unknown
    }
  }
}

extension LedgerLine {
  var model: InvoiceLine {
    InvoiceLine(
      id: id,
      description: description,
      quantity: quantity,
      unitAmount: unitAmount,
      taxType: taxType,
      taxAmount: taxAmount,
      lineAmount: lineAmount,
      accountCode: accountCode)
  }
}
