import GRDB
import Models

extension InvoiceTable {
  static func record(_ row: Int64, _ db: Database) throws -> Invoice? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM invoice WHERE row = ?")
    guard let found = try Row.fetchOne(statement, arguments: [row]) else { return nil }
    return try InvoiceReader(db, isWhole: true).invoice(found)
  }
}
