import GRDB
package import Models

/// Texts about invoices, which a reading sorts in a temporary table of its connection.
///
/// SQLite sorts them on the disk if there are many, so that they take the same memory however many
/// there are. A connection that only reads has a temporary database too; its file has no name.
package struct SortedTexts {
  private static let table = "temp.sorted_text"

  private let db: Database
  private let insert: BoundStatement

  fileprivate init(_ db: Database) throws {
    self.db = db
    // A cancelled reading cannot drop it, as every statement fails then.
    try Self.drop(db)
    try db.execute(
      sql: """
        CREATE TABLE \(Self.table) (
          day INTEGER, number TEXT, id TEXT, account TEXT, position INTEGER, text TEXT)
        """)
    insert = try BoundStatement(db, "INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?, ?)")
  }

  /// Adds a text about an invoice.
  ///
  /// - Parameters:
  ///   - text: the text in UTF-8.
  ///   - day: the day by which it is sorted; the invoice's number, identifier and account follow.
  ///   - position: the position among the texts of the same day and invoice.
  package func add(
    _ text: ArraySlice<UInt8>, on day: CalendarDate, position: Int, of stored: StoredInvoice
  ) throws {
    try insert.bind(Int64(day.daysSinceEpoch), at: 1)
    try insert.bind(stored.invoice.number, at: 2)
    try insert.bind(stored.invoice.id, at: 3)
    try insert.bind(stored.account, at: 4)
    try insert.bind(Int64(position), at: 5)
    try text.withUnsafeBufferPointer {
      try insert.bind(inPlace: $0, at: 6)
      try insert.run()
    }
  }

  /// Calls a function with each text, in their order.
  package func forEach(_ body: ([UInt8]) throws -> Void) throws {
    let sorted = try BoundStatement(
      db, "SELECT text FROM \(Self.table) ORDER BY day, number, id, account, position")
    try sorted.forEachRow { try body($0.bytes(at: 0) ?? []) }
  }

  fileprivate static func drop(_ db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
  }
}

extension LocalDatabase {
  /// Reads invoices, each with its ``StoredInvoice/balance``, and sorts texts about them, all as of
  /// one moment.
  ///
  /// - Parameters:
  ///   - query: selects the invoices; its order decides in which order they are read.
  ///   - body: receives a function that calls another with each invoice, and the texts, which are
  ///     empty. It runs on a thread that it may block. An error that it throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  package func sortTexts<Value: Sendable>(
    ofInvoicesMatching query: InvoiceQuery,
    _ body:
      @escaping @Sendable (
        _ forEachInvoice: ((StoredInvoice) throws -> Void) throws -> Void, _ texts: SortedTexts
      ) throws -> Value
  ) async throws -> Value {
    try await read(matching: query) { db, query in
      let texts = try SortedTexts(db)
      defer { try? SortedTexts.drop(db) }
      let reader = try InvoiceReader(db, query)
      let balances = try BalanceReader(db)
      func forEachInvoice(_ read: (StoredInvoice) throws -> Void) throws {
        let (sql, arguments) = try query.statement(db)
        try db.forEachRow(sql: sql, arguments: arguments) { row in
          var stored = try reader.stored(&row)
          stored.balance = try balances.balance(of: stored)
          try read(stored)
        }
      }
      return try body(forEachInvoice, texts)
    }
  }
}
