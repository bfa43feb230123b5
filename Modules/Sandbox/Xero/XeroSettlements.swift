import Models

/// The payments, credit notes and money on account of a tenant.
extension LedgerSettlement {
  /// The name of the list, which is its path and the key of its rows.
  static func list(_ kind: Kind) -> String {
    switch kind {
    case .payment, .refund: "Payments"
    case .creditNote: "CreditNotes"
    case .prepayment: "Prepayments"
    case .overpayment: "Overpayments"
    }
  }

  /// The kinds whose lists there are; refunds are payments.
  static let listed: [Kind] = Kind.allCases.filter { $0 != .refund }

  /// Returns the rows of a list, in the order of change.
  static func xero(_ invoices: [LedgerInvoice], _ kind: Kind) -> [LedgerSettlement] {
    of(invoices, kinds: kind == .payment ? [.payment, .refund] : [kind])
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch kind {
      case .payment, .refund: writePayment(to: &writer)
      case .creditNote: writeCredit("CreditNoteID", to: &writer)
      case .prepayment: writeCredit("PrepaymentID", to: &writer)
      case .overpayment: writeCredit("OverpaymentID", to: &writer)
      }
      writer.member("UpdatedDateUTC", XeroDateText.json(updatedAt))
    }
  }

  private func writePayment(to writer: inout JSONWriter) {
    writer.member("PaymentID", id)
    writer.member(ifPresent: date.map(XeroDateText.json), "Date")
    writer.member("BankAmount", amount)
    writer.member("Amount", amount)
    writer.member("Reference", number)
    writer.member("CurrencyRate", invoice.currencyRate)
    writer.member("PaymentType", xeroType)
    writer.member("Status", isVoid ? "DELETED" : "AUTHORISED")
    writer.key("Account")
    writer.object { $0.member("Code", "090") }
    writer.key("Invoice")
    if let creditNoteID { writeNote(creditNoteID, to: &writer) } else { writeInvoice(to: &writer) }
  }

  private func writeCredit(_ key: String, to writer: inout JSONWriter) {
    writer.member(key, id)
    if kind == .creditNote { writer.member("CreditNoteNumber", number) }
    writer.member("Type", xeroType)
    writer.member("Reference", number)
    writer.key("Contact")
    invoice.contact.write(to: &writer)
    writer.member(ifPresent: date.map { "\($0) 00:00:00" }, "DateString")
    writer.member(ifPresent: date.map(XeroDateText.json), "Date")
    writer.member("Status", xeroStatus)
    writer.member("LineAmountTypes", "NoTax")
    writer.array("LineItems") { _ in }
    writer.member("SubTotal", total)
    writer.member("TotalTax", ExactDecimal.zero)
    writer.member("Total", total)
    writer.member("RemainingCredit", isVoid ? .zero : rest)
    writer.member("CurrencyCode", invoice.currencyCode)
    writer.array("Allocations") { writer in
      writer.object { writer in
        writer.member("Amount", amount)
        writer.member(ifPresent: date.map(XeroDateText.json), "Date")
        writer.key("Invoice")
        writeInvoice(to: &writer)
      }
    }
  }

  private var xeroStatus: String { isVoid ? "VOIDED" : rest.isZero ? "PAID" : "AUTHORISED" }

  private var xeroType: String {
    switch kind {
    case .payment: invoice.isPurchase ? "ACCPAYPAYMENT" : "ACCRECPAYMENT"
    case .refund: invoice.isPurchase ? "APCREDITPAYMENT" : "ARCREDITPAYMENT"
    case .creditNote: invoice.isPurchase ? "ACCPAYCREDIT" : "ACCRECCREDIT"
    case .prepayment: invoice.isPurchase ? "SPEND-PREPAYMENT" : "RECEIVE-PREPAYMENT"
    case .overpayment: invoice.isPurchase ? "SPEND-OVERPAYMENT" : "RECEIVE-OVERPAYMENT"
    }
  }

  /// Writes the credit note that a refund pays out, as Xero does: like an invoice.
  private func writeNote(_ id: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("Type", invoice.isPurchase ? "ACCPAYCREDIT" : "ACCRECCREDIT")
      writer.member("InvoiceID", id)
      writer.member("InvoiceNumber", Self.number(.creditNote, id))
      writer.key("Contact")
      invoice.contact.write(to: &writer)
      writer.member("CurrencyCode", invoice.currencyCode)
    }
  }

  private func writeInvoice(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("Type", invoice.kind.xero)
      writer.member("InvoiceID", invoice.id)
      writer.member(ifPresent: invoice.number, "InvoiceNumber")
      writer.key("Contact")
      invoice.contact.write(to: &writer)
      writer.member("CurrencyCode", invoice.currencyCode)
    }
  }

  /// The payment, or the money on account, as the model that is common to all providers.
  var xero: Payment? {
    let isPayment = kind == .payment || kind == .refund
    var model = payment(
      rawStatus: isPayment ? "AUTHORISED" : xeroStatus, status: isVoid ? .void : .completed)
    if isPayment { model?.accountCode = "090" } else { model?.unallocatedAmount = rest }
    return model
  }

  /// The credit note as the model that is common to all providers.
  var creditNote: Invoice? {
    guard let currency = Currency(code: invoice.currencyCode) else { return nil }
    var note = Invoice(
      id: id, number: number, type: invoice.isPurchase ? .billCredit : .creditNote,
      status: isVoid ? .void : rest.isZero ? .paid : .partiallyPaid, rawStatus: xeroStatus,
      contact: Party(
        id: invoice.contact.id, name: invoice.contact.name,
        email: invoice.contact.emailAddress.flatMap { $0.isEmpty ? nil : $0 }),
      currency: currency, issueDate: date, updatedAt: updatedAt, subtotal: total,
      totalTax: .zero, total: total, amountDue: isVoid ? .zero : rest, reference: number)
    note.linesIncludeTax = false
    note.allocations = [
      Allocation(
        invoiceID: invoice.id, invoiceNumber: invoice.number, date: date, amount: amount)
    ]
    return note
  }
}
