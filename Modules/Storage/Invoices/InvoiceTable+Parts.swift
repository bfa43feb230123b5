import Models

extension InvoiceTable {
  /// Writes the rows of the child tables, in the order of ``children``.
  static func writeParts(of invoice: Invoice, to buffer: inout ColumnBuffer) {
    for (position, line) in invoice.lines.enumerated() {
      buffer.beginChild(0, at: position)
      write(line, to: &buffer)
    }
    for (position, tax) in invoice.taxBreakdown.enumerated() {
      buffer.beginChild(1, at: position)
      buffer.append(tax.name)
      buffer.append(tax.rate)
      buffer.append(tax.taxableAmount)
      buffer.append(tax.taxAmount)
    }
    for (position, payment) in invoice.payments.enumerated() {
      buffer.beginChild(2, at: position)
      buffer.append(payment.id)
      buffer.append(payment.date)
      buffer.append(payment.amount)
      buffer.append(payment.reference)
    }
    for (position, attachment) in invoice.attachments.enumerated() {
      buffer.beginChild(3, at: position)
      buffer.append(attachment.id)
      buffer.append(attachment.fileName)
      buffer.append(attachment.mediaType)
      buffer.append(attachment.url)
    }
    // All but the contact's address stands in the invoice itself.
    if let address = invoice.contact.address { write(Party(address: address), 0, to: &buffer) }
    if let party = invoice.ownParty { write(party, 1, to: &buffer) }
    for (position, part) in invoice.allowancesAndCharges.enumerated() {
      buffer.beginChild(5, at: position)
      buffer.append(part.id)
      buffer.append(part.isCharge)
      buffer.append(part.amount)
      buffer.append(part.reason)
    }
  }

  private static func write(_ line: InvoiceLine, to buffer: inout ColumnBuffer) {
    buffer.append(line.id)
    buffer.append(line.description)
    buffer.append(line.quantity)
    buffer.append(line.unitAmount)
    buffer.append(line.discountAmount)
    buffer.append(line.taxRate)
    buffer.append(line.taxType)
    buffer.append(line.taxAmount)
    buffer.append(line.lineAmount)
    buffer.append(line.accountCode)
  }

  /// An address without lines has an empty text for them, a party without an address `NULL`.
  private static func write(_ party: Party, _ position: Int, to buffer: inout ColumnBuffer) {
    buffer.beginChild(4, at: position)
    buffer.append(party.id)
    buffer.append(party.name)
    buffer.append(party.email)
    buffer.append(party.taxNumber)
    buffer.append(party.address?.lines.joined(separator: "\n"))
    buffer.append(party.address?.city)
    buffer.append(party.address?.postalCode)
    buffer.append(party.address?.region)
    buffer.append(party.address?.country)
  }
}
