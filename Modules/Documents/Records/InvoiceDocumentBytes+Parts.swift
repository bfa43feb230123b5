import Models

extension DocumentBytes {
  mutating func add(_ line: InvoiceLine) {
    write(#"{"accountCode":"#)
    append(line.accountCode)
    write(#","description":"#)
    append(line.description)
    write(#","discountAmount":"#)
    append(line.discountAmount)
    write(#","id":"#)
    append(line.id)
    write(#","lineAmount":"#)
    append(line.lineAmount)
    write(#","quantity":"#)
    append(line.quantity)
    write(#","taxAmount":"#)
    append(line.taxAmount)
    write(#","taxRate":"#)
    append(line.taxRate)
    write(#","taxType":"#)
    append(line.taxType)
    write(#","unitAmount":"#)
    append(line.unitAmount)
    write("}")
  }

  mutating func add(_ tax: TaxSubtotal) {
    write(#"{"name":"#)
    append(tax.name)
    write(#","rate":"#)
    append(tax.rate)
    write(#","taxAmount":"#)
    append(tax.taxAmount)
    write(#","taxableAmount":"#)
    append(tax.taxableAmount)
    write("}")
  }

  mutating func add(_ payment: Payment) {
    write(#"{"amount":"#)
    append(payment.amount)
    write(#","date":"#)
    append(payment.date)
    write(#","id":"#)
    append(payment.id)
    write(#","reference":"#)
    append(payment.reference)
    write("}")
  }

  mutating func add(_ attachment: AttachmentReference) {
    write(#"{"fileName":"#)
    append(attachment.fileName)
    write(#","id":"#)
    append(attachment.id)
    write(#","mediaType":"#)
    append(attachment.mediaType)
    write(#","url":"#)
    append(attachment.url)
    write("}")
  }

  mutating func add(_ part: AllowanceCharge) {
    write(#"{"amount":"#)
    append(part.amount)
    write(#","id":"#)
    append(part.id)
    write(#","isCharge":"#)
    append(part.isCharge)
    write(#","reason":"#)
    append(part.reason)
    write("}")
  }

  /// - Parameter withAddress: true to add the member `address`.
  mutating func add(_ party: Party, withAddress: Bool) {
    write("{")
    if withAddress {
      write(#""address":"#)
      if let address = party.address { add(address) } else { write("null") }
      write(",")
    }
    write(#""email":"#)
    append(party.email)
    write(#","id":"#)
    append(party.id)
    write(#","name":"#)
    append(party.name)
    write(#","taxNumber":"#)
    append(party.taxNumber)
    write("}")
  }

  private mutating func add(_ address: PostalAddress) {
    write(#"{"city":"#)
    append(address.city)
    write(#","country":"#)
    append(address.country)
    write(#","lines":"#)
    append(address.lines) { $0.append($1) }
    write(#","postalCode":"#)
    append(address.postalCode)
    write(#","region":"#)
    append(address.region)
    write("}")
  }
}
