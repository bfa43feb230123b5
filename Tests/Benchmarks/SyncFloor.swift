import GRDBSQLite

/// The least that storing the sample invoices can cost: prepared statements of C in one
/// transaction, what every peer stores, three indexes, no search index, and nothing of ours.
struct SyncFloor {
  let database: String
  let invoices: SampleInvoices
  private let clock = ContinuousClock()
  /// The number of invoices whose values are made at a time.
  private static let share = 10_000

  /// Stores all invoices.
  ///
  /// - Returns: the time, without that for making the values.
  func insert() throws -> Duration {
    var start = clock.now
    var connection: OpaquePointer?
    guard sqlite3_open(database, &connection) == SQLITE_OK, let connection else {
      throw WrongAnswer()
    }
    defer { sqlite3_close(connection) }
    try run(Self.schema + "PRAGMA synchronous = FULL; BEGIN", connection)
    let invoice = try prepare(
      "INSERT INTO invoice VALUES (\(marks(17)))", connection)
    let line = try prepare("INSERT INTO line VALUES (\(marks(10)))", connection)
    var spent = clock.now - start
    for first in stride(from: 0, to: invoices.count, by: Self.share) {
      var values = BoundValues()
      for index in first..<min(first + Self.share, invoices.count) {
        values.add(invoices[index])
      }
      start = clock.now
      try values.store(invoice, line)
      spent += clock.now - start
    }
    start = clock.now
    try run("COMMIT", connection)
    sqlite3_finalize(invoice)
    sqlite3_finalize(line)
    return spent + (clock.now - start)
  }

  /// The tables of the fast Python script.
  private static let schema = """
    CREATE TABLE invoice (id TEXT PRIMARY KEY, number TEXT, type TEXT, status TEXT,
      contact_id TEXT, contact_name TEXT, contact_email TEXT, currency TEXT, issue_date TEXT,
      due_date TEXT, updated_at INTEGER, reference TEXT, subtotal TEXT, total_tax TEXT, total TEXT,
      amount_paid TEXT, amount_due TEXT);
    CREATE INDEX invoice_by_date ON invoice(issue_date);
    CREATE TABLE line (invoice TEXT, position INTEGER, id TEXT, description TEXT, quantity TEXT,
      unit_amount TEXT, tax_type TEXT, tax_amount TEXT, line_amount TEXT, account_code TEXT);
    CREATE INDEX line_by_invoice ON line(invoice);

    """

  private func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
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
}

/// The values of some invoices as bytes in one buffer, ready to be bound.
private struct BoundValues {
  private enum Value {
    case integer(Int)
    case text(Range<Int>)
  }

  private var bytes: [UInt8] = []
  private var invoices: [[Value]] = []
  private var lines: [[Value]] = []

  mutating func add(_ invoice: SampleInvoice) {
    let amount = SampleInvoice.text
    invoices.append([
      text(invoice.id), text(invoice.number), text(invoice.isBill ? "bill" : "invoice"),
      text(invoice.status), text(invoice.contact.id),
      text(invoice.contact.name), text(invoice.contact.email), text(invoice.currency),
      text(SampleInvoice.date(invoice.issueDay)), text(SampleInvoice.date(invoice.dueDay)),
      .integer(invoice.updatedAt), text(invoice.reference), text(amount(invoice.subtotal)),
      text(amount(invoice.tax)), text(amount(invoice.total)), text(amount(invoice.paid)),
      text(amount(invoice.total - invoice.paid)),
    ])
    for (position, line) in invoice.lines.enumerated() {
      lines.append([
        text(invoice.id), .integer(position), text(line.id), text(line.description),
        text("\(line.quantity).0000"), text(amount(line.unitAmount) + "00"), text("OUTPUT2"),
        text(amount(line.taxAmount)), text(amount(line.amount)), text(line.accountCode),
      ])
    }
  }

  private mutating func text(_ text: String) -> Value {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return .text(start..<bytes.count)
  }

  func store(_ invoice: OpaquePointer, _ line: OpaquePointer) throws {
    try bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      var next = 0
      for values in invoices {
        try step(invoice, values, base)
        for values in lines[next..<next + 3] { try step(line, values, base) }
        next += 3
      }
    }
  }

  /// The texts stay where they are until the statement is bound anew (`SQLITE_STATIC`).
  private func step(
    _ statement: OpaquePointer, _ values: [Value], _ base: UnsafePointer<CChar>
  ) throws {
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .integer(let integer): sqlite3_bind_int64(statement, index, Int64(integer))
      case .text(let range):
        sqlite3_bind_text(
          statement, index, base + range.lowerBound, Int32(range.count), nil)
      }
    }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw WrongAnswer() }
    sqlite3_reset(statement)
  }
}
