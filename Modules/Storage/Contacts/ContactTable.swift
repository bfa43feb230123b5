import Models

/// How contacts are stored.
enum ContactTable: RecordTable {
  static let name = "contact"

  static let columns = [
    "name", "email", "phone", "tax_number", "is_customer", "is_supplier", "status", "raw_status",
    "updated_at", "version",
  ]

  static func deletion(of contact: Contact) -> String? {
    contact.status == .deleted ? "status \(contact.rawStatus)" : nil
  }

  static func write(_ contact: Contact, to buffer: inout ColumnBuffer) {
    buffer.append(contact.name)
    buffer.append(contact.email)
    buffer.append(contact.phone)
    buffer.append(contact.taxNumber)
    buffer.append(contact.isCustomer)
    buffer.append(contact.isSupplier)
    buffer.append(contact.status.rawValue)
    buffer.append(contact.rawStatus)
    buffer.append(contact.updatedAt)
    buffer.append(nil as Int64?)
  }
}
