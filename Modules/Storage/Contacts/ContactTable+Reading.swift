import GRDB
import Models

extension ContactTable {
  static func record(_ row: Int64, _ db: Database) throws -> Contact? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM contact WHERE row = ?"), arguments: [row]
    ).map(contact)
  }

  /// The contact of a row.
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
