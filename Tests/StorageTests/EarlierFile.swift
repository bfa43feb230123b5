import GRDB

@testable import Storage

/// A file as a program of an earlier version has left it: an invoice with a line, one that was deleted, a
/// cursor and a run; and from the second version on what that version stores beside them.
struct EarlierFile {
  /// Every version but the newest, by its last migration.
  static let migrations = Array(Schema.migrator.migrations.dropLast())

  /// What a record has in tables that the first version does not know.
  static let fingerprint: Int64 = 77

  let path: String
  /// Whether it holds whole invoices, contacts and a search index.
  let isWhole: Bool
  /// Whether it holds parties and allowances.
  let hasParties: Bool

  init(at path: String, migration: String) throws {
    self.path = path
    isWhole = migration != Self.migrations.first
    hasParties = Self.migrations.drop { $0 != "5 parties and allowances" }.contains(migration)
    let queue = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(queue, upTo: migration)
    try queue.write { db in
      try db.execute(sql: isWhole ? Self.wholeInvoices : Self.firstInvoices)
      try db.execute(sql: Self.others)
      if isWhole { try db.execute(sql: Self.parts) }
      if hasParties { try db.execute(sql: Self.parties) }
    }
    try queue.close()
  }

  /// The rows of every table of ours, by its name, each with its values by column.
  static func rows(at path: String) throws -> [String: [[String: DatabaseValue]]] {
    let queue = try DatabaseQueue(path: path)
    let rows = try queue.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'grdb_migrations')
          """)
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2")
          return (table, rows.map { Dictionary($0.map { ($0, $1) }, uniquingKeysWith: { $1 }) })
        })
    }
    try queue.close()
    return rows
  }

  private static let firstInvoices = """
    INSERT INTO account (row, name, source) VALUES (1, 'default', 'xero:t');
    INSERT INTO invoice (row, account, id, number, type, status, raw_status, contact_name,
      currency, issue_date, updated_at, total, amount_due, reference, synced_at)
    VALUES (7, 1, 'a', 'N-1', 'invoice', 'open', 'AUTHORISED', 'Ada', 'EUR', '2024-01-02',
      5000000, '12.50', '2.50', 'Büro', 9);
    INSERT INTO invoice (row, account, id, type, status, raw_status, currency, updated_at,
      total, synced_at, deleted_at, deleted_reason)
    VALUES (8, 1, 'b', 'bill', 'deleted', 'DELETED', 'EUR', 6000000, '1', 9, 10, 'status');
    """

  private static let wholeInvoices = """
    INSERT INTO account (row, name, source) VALUES (1, 'default', 'xero:t');
    INSERT INTO invoice (row, account, id, number, type, status, raw_status, contact_name,
      currency, issue_date, updated_at, total, amount_due, reference, fingerprint, synced_at,
      version, period_start, line_total, order_number, lines_include_tax)
    VALUES (7, 1, 'a', 'N-1', 'invoice', 'open', 'AUTHORISED', 'Ada', 'EUR', '2024-01-02',
      5000000, '12.50', '2.50', 'Büro', \(fingerprint), 9, 3, '2023-12-01', '12.50', 'PO-9', 1);
    INSERT INTO invoice (row, account, id, type, status, raw_status, currency, updated_at,
      total, fingerprint, synced_at, deleted_at, deleted_reason)
    VALUES (8, 1, 'b', 'bill', 'deleted', 'DELETED', 'EUR', 6000000, '1', \(fingerprint), 9, 10,
      'status');
    """

  private static let others = """
    INSERT INTO line (invoice, position, description, quantity, line_amount)
    VALUES (7, 0, 'Paint', '2', '12.50');
    INSERT INTO cursor VALUES (1, 'invoices', x'7b7d', 6000000, 1);
    INSERT INTO run (account_name, resource, provider, mode, result, started_at, ended_at)
    VALUES ('default', 'invoices', 'xero', 'full', 'complete', 1, 2);
    """

  private static let parts = """
    UPDATE line SET tax_rate = '19';
    INSERT INTO tax_subtotal VALUES (7, 0, 'VAT', '19', '10.50', '2.00');
    INSERT INTO payment VALUES (7, 0, 'p', '2024-01-05', '10.00', 'bank');
    INSERT INTO attachment VALUES (7, 0, 'f', 'a.pdf', 'application/pdf', NULL);
    INSERT INTO contact (row, account, id, name, status, raw_status, fingerprint, synced_at)
    VALUES (4, 1, 'c', 'Ada', 'active', 'ACTIVE', \(fingerprint), 9);
    INSERT INTO sighting VALUES (1, 'invoices', 7);
    INSERT INTO invoice_search (rowid, number, contact, reference, lines)
      SELECT search_key, number, contact, reference, lines FROM invoice_words ORDER BY search_key;
    """

  private static let parties = """
    INSERT INTO party (invoice, position, name, address_lines, country)
    VALUES (7, 0, NULL, 'Road 1', 'NL'), (7, 1, 'Us', NULL, NULL);
    INSERT INTO allowance_charge (invoice, position, is_charge, amount, reason)
    VALUES (7, 0, 0, '0.50', 'loyal');
    """
}
