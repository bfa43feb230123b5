import Foundation
import GRDB

/// The tables of the database, as the migrations that create them.
///
/// A later version registers another migration, named for what it adds. A migration that was
/// released never changes.
enum Schema {
  /// The mark of our files (`PRAGMA application_id`): "apco".
  static let applicationID: Int32 = 0x6170_636F

  /// The migrations, in the order in which they run.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("invoices, contacts and their syncs") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      let tables = [accounts, invoices, invoiceParts, payments, contacts]
      // The columns of some came later.
      let later = Set((changeIndexes + [invoicesByAmountDue]).map(\.name))
      let indexes = (invoiceIndexes + paymentIndexes).filter { !later.contains($0.name) }.map(\.sql)
      for sql in tables + indexes + [listIndexes, search, syncs] { try db.execute(sql: sql) }
    }
    migrator.registerMigration("unreadable records") { db in try db.execute(sql: unreadable) }
    migrator.registerMigration("views of every column") { try replaceViews($0) }
    migrator.registerMigration("names of organisations") { db in
      try db.execute(sql: organisations)
    }
    migrator.registerMigration("files of invoices") { db in
      try db.execute(sql: documents)
      try db.execute(sql: documentView)
    }
    migrator.registerMigration("numbers of changes") { db in
      try db.execute(sql: changes(ofDatabase: UUID().uuidString.lowercased()))
    }
    migrator.registerMigration("sign-ins of runs") { db in
      try db.execute(sql: runLogins)
      // A first sync that an earlier version had begun was without it.
      try db.execute(sql: listIndex(of: "invoice", "IF NOT EXISTS "))
    }
    migrator.registerMigration("segments of the search index") { db in
      try db.execute(sql: searchSegments)
    }
    migrator.registerMigration("names of taxes and accounts") { db in
      try db.execute(sql: names)
      try replaceViews(db)
    }
    migrator.registerMigration("sizes of attachments") { db in
      try db.execute(sql: "ALTER TABLE attachment ADD COLUMN size INTEGER")
      try replaceViews(db)
    }
    migrator.registerMigration("signs of refunds") { try replaceViews($0) }
    migrator.registerMigration("computed amounts due") { db in
      try db.execute(sql: computedDues)
      try replaceViews(db)
    }
    return migrator
  }

  private static func replaceViews(_ db: Database) throws {
    for name in ["every_payment", "credit_notes", "allocations"] {
      try db.execute(sql: "DROP VIEW IF EXISTS \(name)")
    }
    try db.execute(sql: everyPayment)
    for view in views {
      try db.execute(sql: "DROP VIEW IF EXISTS \(view.name)")
      try db.execute(sql: view.sql)
    }
    try db.execute(sql: settlements)
  }

  /// Accounts, each with the organisation whose records it holds.
  ///
  /// `source` names the organisation, such as `xero:<tenant>`. `login` is the sign-in that was last
  /// proved to read it, as the opaque text of `Credential.login`; `NULL` if no run has recorded one
  /// yet. `addresses` are the addresses of the lists at that proof, as a JSON object by resource;
  /// `NULL` if the provider states none.
  static let accounts = """
    CREATE TABLE account (
      row INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      source TEXT NOT NULL,
      login TEXT,
      addresses TEXT
    ) STRICT;
    """

  /// The organisations of accounts, as the provider names them, for people who read their records.
  ///
  /// An account is here before its first records are stored.
  static let organisations = """
    CREATE TABLE organisation (
      account_name TEXT PRIMARY KEY,
      id TEXT NOT NULL,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Returns the condition that a column holds a day, such as `2024-01-31`, or `NULL`.
  static func isDay(_ column: String) -> String {
    "\(column) GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'"
  }

  /// Returns the condition that a column holds only characters of a decimal number.
  ///
  /// appcore takes its amounts from `ExactDecimal`. The condition is for other programs that write
  /// to the file, because no sum can be computed over a text that is not a number.
  static func isDecimal(_ column: String) -> String {
    "\(column) <> '' AND \(column) NOT GLOB '*[^-.0-9]*'"
  }
}
