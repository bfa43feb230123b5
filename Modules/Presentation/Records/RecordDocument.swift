import Models
package import Storage

/// An invoice as JSON, with everything that is stored: amounts as strings, absent values as `null`.
package struct InvoiceDocument: Encodable {
  private let stored: StoredInvoice

  package init(_ stored: StoredInvoice) { self.stored = stored }

  /// Appends the JSON of an invoice.
  ///
  /// - Parameter withLines: false to leave out lists, the own party and addresses.
  package static func append(
    _ stored: StoredInvoice, withLines: Bool, to bytes: inout [UInt8]
  ) {
    var invoice = stored.invoice
    var writer = RecordWriter(isWhole: withLines)
    if withLines { invoice.taxBreakdown = invoice.taxes }
    writer.append(&invoice, to: &bytes) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
      if let change = stored.change { writer.add("change", change.rawValue) }
      guard withLines else { return }
      writer.list("arithmetic", stored.invoice.arithmeticFindings) { $0.add($1.description) }
      if let balance = stored.balance { writer.add(balance) }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var json: [UInt8] = []
    Self.append(stored, withLines: true, to: &json)
    try encoder.encodeJSON(json)
  }
}

/// A payment as JSON, with the documents that it pays; absent values are `null`.
package struct PaymentDocument: Encodable {
  private let stored: StoredPayment

  package init(_ stored: StoredPayment) { self.stored = stored }

  /// Appends the JSON of a payment.
  package static func append(_ stored: StoredPayment, to bytes: inout [UInt8]) {
    var payment = stored.payment
    var writer = RecordWriter(isWhole: true)
    writer.append(&payment, to: &bytes) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var json: [UInt8] = []
    Self.append(stored, to: &json)
    try encoder.encodeJSON(json)
  }
}

/// A contact as JSON, with what its invoices amount to; absent values are `null`.
package struct ContactDocument: Encodable {
  private let stored: StoredContact

  package init(_ stored: StoredContact) { self.stored = stored }

  /// Appends the JSON of a contact.
  package static func append(_ stored: StoredContact, to bytes: inout [UInt8]) {
    var contact = stored.contact
    var writer = RecordWriter(isWhole: true)
    writer.append(&contact, to: &bytes) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
      var count: Int64? = Int64(stored.invoiceCount)
      writer.field("invoiceCount", &count)
      writer.list("balances", stored.balances) { writer, balance in
        writer.object { writer in
          writer.add("currency", balance.currency.code)
          writer.add("payable", balance.payable.description)
          writer.add("receivable", balance.receivable.description)
        }
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var json: [UInt8] = []
    Self.append(stored, to: &json)
    try encoder.encodeJSON(json)
  }
}

/// The document that `appcore invoices show` prints.
package struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument

  package init(_ stored: StoredInvoice) { invoice = InvoiceDocument(stored) }
}

/// The document that `appcore payments show` prints.
package struct PaymentShowDocument: Encodable {
  let schemaVersion = 1
  let payment: PaymentDocument

  package init(_ stored: StoredPayment) { payment = PaymentDocument(stored) }
}

/// The document that `appcore contacts show` prints.
package struct ContactShowDocument: Encodable {
  let schemaVersion = 1
  let contact: ContactDocument

  package init(_ stored: StoredContact) { contact = ContactDocument(stored) }
}
