package import Models
package import Storage
import Sync

/// A kind of record that a description can be written for.
package protocol RESTRecord: SyncedRecord, Equatable {
  /// Creates a record from a row.
  init(_ row: RESTRow) throws(RESTRowError)

  /// Time of the provider's last change.
  var updatedAt: Timestamp? { get }
}

extension Invoice: RESTRecord {
  /// Creates an invoice from a row.
  package init(_ row: RESTRow) throws(RESTRowError) {
    let currency: Currency = try row.required(.currency, row.currency(.currency))
    self.init(
      id: try row.required(.id, row.text(.id)),
      number: try row.text(.number),
      type: try row.required(.type, row.word(.type)),
      status: try row.required(.status, row.word(.status, unknown: .unknown)),
      rawStatus: try row.rawWord(.status),
      contact: try row.party(.contact),
      currency: currency,
      issueDate: try row.day(.issueDate),
      dueDate: try row.day(.dueDate),
      updatedAt: try row.instant(.updatedAt),
      subtotal: try row.money(.subtotal, in: currency),
      totalTax: try row.money(.totalTax, in: currency),
      total: try row.required(.total, row.money(.total, in: currency)),
      amountPaid: try row.money(.amountPaid, in: currency),
      amountCredited: try row.money(.amountCredited, in: currency),
      amountDue: try row.money(.amountDue, in: currency),
      reference: try row.text(.reference),
      lines: try row.list("lines") { row throws(RESTRowError) in try InvoiceLine(row, currency) })
    amountDue = amountDue ?? unpaidRest
    periodStart = try row.day(.periodStart)
    periodEnd = try row.day(.periodEnd)
    version = try row.integer(.version)
    lineTotal = try row.money(.lineTotal, in: currency)
    allowanceTotal = try row.money(.allowanceTotal, in: currency)
    chargeTotal = try row.money(.chargeTotal, in: currency)
    roundingAmount = try row.money(.roundingAmount, in: currency)
    orderNumber = try row.text(.orderNumber)
    linesIncludeTax = try row.boolean(.linesIncludeTax)
    let own = try row.party(.ownParty)
    ownParty = own == Party() ? nil : own
    try readLists(row)
  }

  /// Reads the lists that invoices seldom have.
  private mutating func readLists(_ row: RESTRow) throws(RESTRowError) {
    let currency = currency
    let charges = try row.allowancesOrCharges("charges", areCharges: true, in: currency)
    allowancesAndCharges =
      try row.allowancesOrCharges("allowances", areCharges: false, in: currency) + charges
    taxBreakdown = try row.list("taxes") { row throws(RESTRowError) in
      TaxSubtotal(
        name: try row.text(.name), rate: try row.decimal(.rate),
        taxableAmount: try row.money(.taxableAmount, in: currency),
        taxAmount: try row.required(.taxAmount, row.money(.taxAmount, in: currency)))
    }
    payments = try row.list("payments") { row throws(RESTRowError) in
      Payment(
        id: try row.text(.id), date: try row.day(.date),
        amount: try row.required(.amount, row.money(.amount, in: currency)),
        reference: try row.text(.reference))
    }
    attachments = try row.list("attachments") { row throws(RESTRowError) in
      AttachmentReference(
        id: try row.text(.id), fileName: try row.text(.fileName),
        mediaType: try row.text(.mediaType), url: try row.text(.url))
    }
  }
}

extension Invoice {
  /// The total without what was paid and credited; `nil` if the provider does not state what was
  /// paid, or if the invoice asks nobody for money.
  fileprivate var unpaidRest: ExactDecimal? {
    guard let amountPaid, [.open, .partiallyPaid, .paid].contains(status) else { return nil }
    return total.subtracting(amountPaid)?.subtracting(amountCredited ?? .zero)
  }
}

extension InvoiceLine {
  fileprivate init(_ row: RESTRow, _ currency: Currency) throws(RESTRowError) {
    self.init(
      id: try row.text(.id), description: try row.text(.description),
      quantity: try row.decimal(.quantity),
      unitAmount: try row.money(.unitAmount, in: currency),
      taxType: try row.text(.taxType), taxAmount: try row.money(.taxAmount, in: currency),
      lineAmount: try row.money(.lineAmount, in: currency),
      accountCode: try row.text(.accountCode))
    discountAmount = try row.money(.discountAmount, in: currency)
    taxRate = try row.decimal(.taxRate)
  }
}

extension Contact: RESTRecord {
  /// Creates a contact from a row.
  package init(_ row: RESTRow) throws(RESTRowError) {
    self.init(
      id: try row.required(.id, row.text(.id)),
      status: try row.word(.status, unknown: .unknown) ?? .unknown,
      rawStatus: try row.rawWord(.status))
    name = try row.text(.name)
    email = try row.text(.email)
    phone = try row.text(.phone)
    taxNumber = try row.text(.taxNumber)
    isCustomer = try row.boolean(.isCustomer)
    isSupplier = try row.boolean(.isSupplier)
    updatedAt = try row.instant(.updatedAt)
  }
}
