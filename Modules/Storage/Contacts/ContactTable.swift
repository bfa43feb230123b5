import GRDB
import Models

/// The table that contacts are stored in.
enum ContactTable: RecordTable {
  static let name = "contact"

  static let columns = ColumnNames {
    addColumns(of: Contact(id: "", status: .unknown, rawStatus: ""), to: &$0)
  }.names

  static func write(_ contact: Contact, to buffer: inout ColumnBuffer) {
    addColumns(of: contact, to: &buffer)
  }

  private static func addColumns(of contact: Contact, to row: inout some ColumnSink) {
    row.add("name", contact.name)
    row.add("email", contact.email)
    row.add("phone", contact.phone)
    row.add("tax_number", contact.taxNumber)
    row.add("is_customer", contact.isCustomer)
    row.add("is_supplier", contact.isSupplier)
    row.add("status", contact.status.rawValue)
    row.add("raw_status", contact.rawStatus)
    row.add("updated_at", contact.updatedAt)
    row.add("version", nil as Int64?)
  }

  static func deletion(of contact: Contact) -> String? {
    contact.status == .deleted ? "status \(contact.rawStatus)" : nil
  }

  static func record(_ row: Int64, _ db: Database) throws -> Contact? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM contact WHERE row = ?"), arguments: [row]
    ).map(contact)
  }

  /// Returns the contact of a row.
  static func contact(_ row: Row) -> Contact {
    var contact = Contact(
      id: row["id"], status: ContactStatus(rawValue: row["status"]) ?? .unknown,
      rawStatus: row["raw_status"])
    contact.name = row["name"]
    contact.email = row["email"]
    contact.phone = row["phone"]
    contact.taxNumber = row["tax_number"]
    contact.isCustomer = row["is_customer"]
    contact.isSupplier = row["is_supplier"]
    contact.updatedAt = (row["updated_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:))
    return contact
  }
}
