import Models

/// An entry of a tenant's address book: a party of its invoices.
struct ContactEntry: Sendable {
  let contact: LedgerContact
  /// The last change of any of its invoices.
  fileprivate(set) var updatedAt: Timestamp
  /// The day of its first invoice, in days since 1970; edits do not change it.
  fileprivate(set) var createdOn: Int
  fileprivate(set) var isCustomer = false
  fileprivate(set) var isSupplier = false
  /// False once all its invoices are deleted.
  fileprivate(set) var isLive = false

  /// The time of creation, in seconds since 1970.
  var createdAt: Int { createdOn * 86_400 }

  /// The last change, in seconds since 1970.
  var changedAt: Int { Int(updatedAt.truncatedToSecond.microsecondsSinceEpoch / 1_000_000) }
}

extension Sequence<LedgerInvoice> {
  /// The parties of the invoices, by the time of their last change.
  var contacts: [ContactEntry] {
    var entries: [String: ContactEntry] = [:]
    for invoice in self {
      let day = invoice.date?.daysSinceEpoch ?? 0
      var entry =
        entries[invoice.contact.id]
        ?? ContactEntry(contact: invoice.contact, updatedAt: invoice.updatedAt, createdOn: day)
      entry.updatedAt = Swift.max(entry.updatedAt, invoice.updatedAt)
      entry.createdOn = Swift.min(entry.createdOn, day)
      if invoice.isPurchase { entry.isSupplier = true } else { entry.isCustomer = true }
      if invoice.status != .deleted { entry.isLive = true }
      entries[invoice.contact.id] = entry
    }
    return entries.values.sorted {
      ($0.updatedAt, $0.contact.id) < ($1.updatedAt, $1.contact.id)
    }
  }

  /// The parties of sales, which are all that some providers know.
  var customers: [ContactEntry] { filter { $0.kind == .sale }.contacts }
}
