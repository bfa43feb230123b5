import GRDB

@testable import Storage

/// A file as a program of this version leaves it, with a row in every table, for a later version to
/// open.
struct EarlierFile {
  static let fingerprint: Int64 = 77

  let path: String

  init(at path: String) throws {
    self.path = path
    let queue = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(queue)
    try queue.write { try $0.execute(sql: Self.everything) }
    try queue.close()
  }

  /// The migrations of a made-up later version: it adds a column, a table and an index.
  static var laterMigrator: DatabaseMigrator {
    var migrator = Schema.migrator
    migrator.registerMigration("projects") { db in
      try db.execute(
        sql: """
          CREATE TABLE project (row INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
          ALTER TABLE invoice ADD COLUMN project INTEGER REFERENCES project(row);
          CREATE INDEX invoice_by_project ON invoice(project) WHERE project IS NOT NULL;
          """)
    }
    return migrator
  }

  /// The rows of every table of ours, by its name, each with its values by column.
  static func rows(at path: String) throws -> [String: [[String: DatabaseValue]]] {
    let queue = try DatabaseQueue(path: path)
    let rows = try queue.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
            AND name NOT IN ('sqlite_schema', 'grdb_migrations')
          """)
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(table)")
            .sorted { "\($0)" < "\($1)" }
          return (table, rows.map { Dictionary($0.map { ($0, $1) }, uniquingKeysWith: { $1 }) })
        })
    }
    try queue.close()
    return rows
  }

  private static let everything = """
    INSERT INTO account (row, name, source, login, addresses)
    VALUES (1, 'default', 'xero:t', 'sign-in', '{"invoices":"https://a"}');
    INSERT INTO invoice (row, account, id, number, type, status, raw_status, contact_name,
      currency, issue_date, updated_at, total, amount_due, reference, fingerprint, synced_at,
      version, period_start, line_total, order_number, lines_include_tax)
    VALUES (7, 1, 'a', 'N-1', 'invoice', 'open', 'AUTHORISED', 'Ada', 'EUR', '2024-01-02',
      5000000, '12.50', '2.50', 'Büro', \(fingerprint), 9, 3, '2023-12-01', '12.50', 'PO-9', 1);
    INSERT INTO invoice (row, account, id, type, status, raw_status, currency, updated_at,
      total, fingerprint, synced_at, deleted_at, deleted_reason)
    VALUES (8, 1, 'b', 'bill', 'deleted', 'DELETED', 'EUR', 6000000, '1', \(fingerprint), 9, 10,
      'status');
    INSERT INTO line (invoice, position, description, quantity, line_amount, tax_rate)
    VALUES (7, 0, 'Paint', '2', '12.50', '19');
    INSERT INTO tax_subtotal VALUES (7, 0, 'VAT', '19', '10.50', '2.00', NULL);
    INSERT INTO custom_field VALUES (7, 0, 'Site', 'Quay');
    INSERT INTO invoice_payment VALUES (7, 0, 'p', '2024-01-05', '10.00', 'bank', NULL);
    INSERT INTO credit_allocation VALUES (7, 0, 'x', 'b', 'N-2', '2024-01-05', '1.00');
    INSERT INTO payment (row, account, id, type, status, raw_status, currency, amount, list,
      fingerprint, synced_at)
    VALUES (3, 1, 'q', 'receipt', 'completed', 'PAID', 'EUR', '10.00', 'prepayments',
      \(fingerprint), 9);
    INSERT INTO payment_allocation VALUES (3, 0, NULL, 'a', NULL, NULL, '10.00');
    INSERT INTO attachment VALUES (7, 0, 'f', 'a.pdf', 'application/pdf', NULL, 9);
    INSERT INTO party (invoice, position, name, address_lines, country)
    VALUES (7, 0, NULL, 'Road 1', 'NL'), (7, 1, 'Us', NULL, NULL);
    INSERT INTO allowance_charge (invoice, position, is_charge, amount, reason)
    VALUES (7, 0, 0, '0.50', 'loyal');
    INSERT INTO contact (row, account, id, name, status, raw_status, fingerprint, synced_at)
    VALUES (4, 1, 'c', 'Ada', 'active', 'ACTIVE', \(fingerprint), 9);
    INSERT INTO checkpoint VALUES (1, 'invoices', x'7b7d', 6000000, 1);
    INSERT INTO seen VALUES (1, 'invoices', 7);
    INSERT INTO unreadable VALUES (1, 'invoices', 'u', 4, 'total', 'odd', 6000000, 1, 0);
    INSERT INTO run (account_name, resource, provider, mode, result, started_at, ended_at)
    VALUES ('default', 'invoices', 'xero', 'full', 'complete', 1, 2);
    INSERT INTO invoice_search (rowid, number, contact, reference, lines)
      SELECT search_key, number, contact, reference, lines FROM invoice_words
      WHERE row = 7 ORDER BY search_key;
    UPDATE search_state SET indexed_row = 8;
    INSERT INTO search_pending VALUES (8);
    INSERT INTO organisation VALUES ('default', 't', 'Ada Ltd');
    INSERT INTO document VALUES (1, 1, 'a', 'pdf', '', NULL, 'application/pdf', 4, 'abcd', NULL,
      'stored', NULL, 6000000, 'a.pdf', 7, NULL);
    INSERT INTO attachment_listing VALUES (1, 'a', 7);
    INSERT INTO forgotten VALUES (1, 'invoice', 'other', 'z', 1, 6000000);
    """
}
