import Models
package import Storage

/// A contact as JSON, with what its invoices amount to; absent values are `null`.
package struct ContactDocument: Encodable {
  let account: String
  let id: String
  let name: Nullable<String>
  let email: Nullable<String>
  let phone: Nullable<String>
  let taxNumber: Nullable<String>
  let isCustomer: Nullable<Bool>
  let isSupplier: Nullable<Bool>
  let status: String
  let rawStatus: String
  let updatedAt: Nullable<Timestamp>
  let deletedAt: Nullable<Timestamp>
  let deletedReason: Nullable<String>
  let invoiceCount: Int
  let balances: [Balance]

  struct Balance: Encodable {
    let currency: Currency
    let receivable: DecimalSum
    let payable: DecimalSum
  }

  package init(_ stored: StoredContact) {
    let contact = stored.contact
    account = stored.account
    id = contact.id
    name = Nullable(contact.name)
    email = Nullable(contact.email)
    phone = Nullable(contact.phone)
    taxNumber = Nullable(contact.taxNumber)
    isCustomer = Nullable(contact.isCustomer)
    isSupplier = Nullable(contact.isSupplier)
    status = contact.status.rawValue
    rawStatus = contact.rawStatus
    updatedAt = Nullable(contact.updatedAt)
    deletedAt = Nullable(stored.deletedAt)
    deletedReason = Nullable(stored.deletedReason)
    invoiceCount = stored.invoiceCount
    balances = stored.balances.map {
      Balance(currency: $0.currency, receivable: $0.receivable, payable: $0.payable)
    }
  }
}

/// The document that `appcore contacts show` prints.
package struct ContactShowDocument: Encodable {
  let schemaVersion = 1
  let contact: ContactDocument

  package init(_ stored: StoredContact) { contact = ContactDocument(stored) }
}
