import GRDB
import Models

/// Reads single invoices.
struct InvoiceRow {
  private let reader: InvoiceReader
  private let statement: BoundStatement

  /// - Parameter isWhole: true to read invoices with their lines and all else.
  init(_ db: Database, isWhole: Bool) throws {
    reader = try InvoiceReader(db, isWhole: isWhole)
    statement = try BoundStatement(
      db,
      """
      SELECT \(InvoiceReader.columns) FROM invoice
      JOIN account ON account.row = invoice.account WHERE invoice.row = ?
      """)
  }

  /// Returns the invoice with a key; `nil` if it is no longer stored.
  func invoice(_ key: InvoiceKey) throws -> StoredInvoice? {
    try statement.bind(key.row, at: 1)
    return try statement.first { columns in
      var row = RowValues(columns)
      return try reader.stored(&row)
    }
  }
}
