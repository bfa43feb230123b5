import GRDB
import Models

/// The table that contacts are stored in.
enum ContactTable: RecordTable {
  static let name = "contact"

  static let columns = FieldDescription.columns(of: Contact.self) + addressColumns

  /// The columns of the two addresses.
  static let addressColumns = ["address", "delivery_address"].flatMap { name in
    FieldDescription.columns(of: PostalAddress.self).map { "\(name)_\($0)" }
  }

  /// The columns that ``RowValues`` reads a contact from.
  static let selected = (["id"] + columns).map { "contact.\($0) AS \($0)" }.joined(separator: ", ")

  static func write(_ contact: inout Contact, to buffer: inout ColumnBuffer) {
    contact.visit(&buffer)
    for address in [contact.address, contact.deliveryAddress] {
      buffer.append(address, columns: addressColumns.count / 2)
    }
  }

  static func deletion(of contact: Contact) -> String? {
    contact.status == .deleted ? "status \(contact.rawStatus)" : nil
  }

  static func record(_ row: Int64, _ db: Database) throws -> Contact? {
    let statement = try BoundStatement(db, "SELECT \(selected) FROM contact WHERE row = ?")
    try statement.bind(row, at: 1)
    return try statement.first { columns in
      var values = RowValues(columns)
      return try contact(&values)
    }
  }

  /// Reads a contact from the values of ``selected``.
  static func contact(_ row: inout RowValues) throws -> Contact {
    var contact: Contact = try row.record()
    contact.address = try row.address()
    contact.deliveryAddress = try row.address()
    return contact
  }
}
