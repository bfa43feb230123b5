import GRDB

/// The tables, as the migrations that made them.
///
/// A migration that was released never changes.
enum Schema {
  /// Marks the file as ours (`PRAGMA application_id`): "apco".
  static let applicationID: Int32 = 0x6170_636F

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 invoices") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: first)
    }
    migrator.registerMigration("2 whole invoices, contacts, search") { db in
      try db.execute(sql: second)
    }
    migrator.registerMigration("3 words of the search index") { db in
      try db.execute(sql: third)
    }
    migrator.registerMigration("4 amounts are decimals", migrate: restrictAmounts)
    migrator.registerMigration("5 parties and allowances") { db in
      try db.execute(sql: fifth)
    }
    // No row is touched.
    migrator.registerMigration("6 fewer indexes", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: sixth)
    }
    migrator.registerMigration("7 sign-ins", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: signIns)
    }
    return migrator
  }
}
