import GRDBSQLite

/// As little as storing the same rows can cost: prepared statements of C, one transaction, the same
/// tables and indexes.
struct SyncFloor {
  let database: String
  let invoices: Int
  private let clock = ContinuousClock()
  /// How many rows are made at a time.
  private static let share = 10_000

  init(database: String, invoices: Int) {
    self.database = database
    self.invoices = invoices
  }

  /// - Returns: how long it took.
  func insert() throws -> Duration {
    var start = clock.now
    var connection: OpaquePointer?
    guard sqlite3_open(database, &connection) == SQLITE_OK, let connection else {
      throw WrongAnswer()
    }
    defer { sqlite3_close(connection) }
    try run("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; BEGIN", connection)
    try run(
      "INSERT OR IGNORE INTO account (row, name, source) VALUES (1, 'default', 'floor')", connection
    )
    let invoice = try prepare(
      """
      INSERT INTO invoice (row, account, id, number, type, status, raw_status, contact_id,
        contact_name, contact_email, currency, issue_date, due_date, updated_at, subtotal, total_tax,
        total, amount_paid, amount_credited, amount_due, reference, lines_include_tax, fingerprint,
        synced_at)
      VALUES (?, 1, ?, ?, 'invoice', 'open', 'AUTHORISED', ?, ?, ?, 'EUR', ?, ?, ?, ?, '0.15', ?,
        '0.00', '0.00', ?, ?, 0, ?, 1)
      """, connection)
    let line = try prepare(
      """
      INSERT INTO line (invoice, position, id, description, quantity, unit_amount, tax_type,
        tax_amount, line_amount, account_code)
      VALUES (?, ?, ?, ?, '1.0000', ?, 'OUTPUT2', ?, ?, '200')
      """, connection)
    var spent = clock.now - start
    // Making the values is no part of what has to be done: it happens while the clock stands still.
    for first in stride(from: 0, to: invoices, by: Self.share) {
      let rows = (first..<min(first + Self.share, invoices)).map(values(of:))
      let start = clock.now
      for row in rows {
        try bind(invoice, row.invoice)
        for values in row.lines { try bind(line, values) }
      }
      spent += clock.now - start
    }
    start = clock.now
    try run(
      """
      INSERT INTO invoice_search (rowid, number, contact, reference, lines)
      SELECT search_key, number, contact, reference, lines FROM invoice_words
      ORDER BY search_key; COMMIT
      """, connection)
    sqlite3_finalize(invoice)
    sqlite3_finalize(line)
    try run("PRAGMA wal_checkpoint(TRUNCATE)", connection)
    return spent + (clock.now - start)
  }

  private func values(of number: Int) -> (invoice: [Value], lines: [[Value]]) {
    let day = String(number % 28 + 1 + 100).dropFirst()
    let invoice: [Value] = [
      .integer(number + 1), .text(identifier(number * 4)), .text("INV-\(number)"),
      .text(identifier(number % 1_000)), .text("Customer number \(number % 1_000) of the town"),
      .text("c\(number % 1_000)@customers.example"), .text("2024-03-\(day)"),
      .text("2024-04-\(day)"), .integer(number), .text("\(number % 2_700).60"),
      .text("\(number % 2_700).75"), .text("\(number % 2_700).75"),
      .text("Order \(number % 5_000)"), .integer(number &* 0x1E37_79B9),
    ]
    let lines: [[Value]] = (0..<3).map { position in
      [
        .integer(number + 1), .integer(position), .text(identifier(number * 4 + position + 1)),
        .text("Paint, blue, in tins of \(number % 97) litres, delivered to the yard"),
        .text("\(number % 900 + 1).2500"), .text("\(number % 90).05"),
        .text("\(number % 900 + 1).25"),
      ]
    }
    return (invoice, lines)
  }

  private enum Value {
    case integer(Int)
    case text(String)
  }

  private func bind(_ statement: OpaquePointer, _ values: [Value]) throws {
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .integer(let integer): sqlite3_bind_int64(statement, index, Int64(integer))
      case .text(let text):
        sqlite3_bind_text(
          statement, index, text, Int32(text.utf8.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
    }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw WrongAnswer() }
    sqlite3_reset(statement)
  }

  private func prepare(_ sql: String, _ connection: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement
    else {
      throw WrongAnswer()
    }
    return statement
  }

  private func run(_ sql: String, _ connection: OpaquePointer) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw WrongAnswer() }
  }

  private func identifier(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
