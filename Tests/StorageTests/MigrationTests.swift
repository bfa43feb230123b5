import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// A later version brings files of this one up to date, and loses nothing.
@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
  @Test("a later migration keeps every value of every row")
  func rows() async throws {
    let folder = try TemporaryDirectory()
    let file = try EarlierFile(at: folder.file("a.sqlite"))
    let before = try EarlierFile.rows(at: file.path)
    #expect(before.count == 24)
    #expect(before.allSatisfy { !$0.value.isEmpty }, "a table of it is not tried")
    try await LocalDatabase.open(at: file.path, migrator: EarlierFile.laterMigrator).close()
    let after = try EarlierFile.rows(at: file.path)
    #expect(after["project"]?.isEmpty == true)
    for (table, rows) in before {
      let found = try #require(after[table], "\(table) is gone")
      try #require(found.count == rows.count, "\(table)")
      for (row, kept) in zip(rows, found) {
        // New columns and tables are not compared.
        #expect(kept.filter { row.keys.contains($0.key) } == row, "\(table)")
      }
    }
    try await checkIntegrity(file.path)
  }

  @Test("a migrated file keeps its records, and takes new ones")
  func meaning() async throws {
    let folder = try TemporaryDirectory()
    let file = try EarlierFile(at: folder.file("a.sqlite"))
    let database = try await LocalDatabase.open(
      at: file.path, migrator: EarlierFile.laterMigrator)
    let invoice = try #require(try await database.invoice("a", account: "default")).invoice
    #expect(invoice.number == "N-1" && invoice.total.description == "12.50")
    #expect(invoice.updatedAt == Timestamp(microsecondsSinceEpoch: 5_000_000))
    #expect(invoice.lines.map(\.description) == ["Paint"])
    #expect(invoice.payments.map(\.reference) == ["bank"] && invoice.orderNumber == "PO-9")
    #expect(invoice.taxBreakdown.map(\.name) == ["VAT"] && invoice.version == 3)
    #expect(invoice.attachments.map(\.fileName) == ["a.pdf"])
    #expect(invoice.contact.address?.lines == ["Road 1"] && invoice.ownParty?.name == "Us")
    #expect(invoice.allowancesAndCharges.map(\.reason) == ["loyal"])
    #expect(try await database.invoice("b", account: nil)?.deletedReason == "status")
    #expect(try await database.contacts(account: "default").map(\.id) == ["c"])
    let resumption = try await database.invoiceStore.resumption(account: "default")
    #expect(try await database.unreadableCount(of: .invoices, account: "default") == 1)
    #expect(resumption?.checkpoint == Array("{}".utf8) && resumption?.isComplete == true)
    let run = try await database.lastRun(account: "default", resource: .invoices)
    #expect(run?.result == .complete)
    var query = InvoiceQuery()
    query.search = "buro pai"
    #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
    let fingerprints = try await database.read { db in
      try Int64.fetchSet(db, sql: "SELECT fingerprint FROM invoice")
    }
    #expect(fingerprints == [EarlierFile.fingerprint])
    let scene = WholeInvoiceTests()
    let whole = try scene.invoice("whole")
    _ = try await scene.commit([whole], to: database, account: "other")
    #expect(try await database.invoice("whole", account: nil)?.invoice == whole)
    try await database.close()
  }

  @Test("a file without names and means of payment gets their columns, and keeps its rows")
  func names() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let queue = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(queue, upTo: "segments of the search index")
    try await queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO account (row, name, source) VALUES (1, 'default', 'xero:t');
          INSERT INTO invoice (row, account, id, type, status, raw_status, currency, total,
            fingerprint, synced_at)
          VALUES (7, 1, 'a', 'invoice', 'paid', 'PAID', 'EUR', '1', 5, 9);
          INSERT INTO line (invoice, position, account_code) VALUES (7, 0, '200');
          INSERT INTO invoice_payment VALUES (7, 0, 'p', '2024-01-05', '1', 'bank');
          """)
    }
    try queue.close()
    let database = try await LocalDatabase.open(at: path)
    let invoice = try #require(try await database.invoice("a", account: nil)).invoice
    #expect(invoice.lines.map(\.accountCode) == ["200"])
    #expect(invoice.lines.map(\.accountName) == [nil])
    #expect(invoice.payments.map(\.reference) == ["bank"])
    let shown = try await database.read { db in
      try Row.fetchAll(db, sql: "SELECT reference, method FROM payments").map {
        [$0["reference"], $0["method"]] as [String?]
      }
    }
    #expect(shown == [["bank", nil]])
    try await database.close()
  }

  @Test("a migrated file has the tables of a new one")
  func same() async throws {
    let folder = try TemporaryDirectory()
    let old = try EarlierFile(at: folder.file("old"))
    #expect(try await schema(at: old.path) == schema(at: folder.file("new")))
  }

  @Test("a file of a later version is refused, to read and to write")
  func newer() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    try await LocalDatabase.open(at: path, migrator: EarlierFile.laterMigrator).close()
    await #expect { _ = try await LocalDatabase.open(at: path) } throws: {
      if case StorageError.newerSchema = $0 { true } else { false }
    }
    await #expect { _ = try await LocalDatabase.openForReading(at: path) } throws: {
      if case StorageError.newerSchema = $0 { true } else { false }
    }
  }

  @Test("a migration that fails leaves the file as it was")
  func failed() async throws {
    let folder = try TemporaryDirectory()
    let file = try EarlierFile(at: folder.file("a.sqlite"))
    let before = try EarlierFile.rows(at: file.path)
    var migrator = Schema.migrator
    migrator.registerMigration("half") { db in
      try db.execute(sql: "DELETE FROM line; DROP TABLE no_such_table")
    }
    await #expect(throws: StorageError.self) {
      _ = try await LocalDatabase.open(at: file.path, migrator: migrator)
    }
    #expect(try EarlierFile.rows(at: file.path) == before)
    let database = try await LocalDatabase.open(at: file.path)
    #expect(database.damagedFile == nil)
    try await database.close()
  }

  @Test("a file that a migration finds damaged is renamed whole, and a new one made")
  func damaged() async throws {
    let folder = try TemporaryDirectory()
    let file = try EarlierFile(at: folder.file("a.sqlite"))
    var migrator = Schema.migrator
    migrator.registerMigration("amounts") { db in
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM invoice") == 0 else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an amount is no number")
      }
    }
    let database = try await LocalDatabase.open(at: file.path, migrator: migrator)
    let damaged = try #require(database.damagedFile)
    #expect(try await database.invoiceCount(account: nil) == 0)
    try await database.close()
    #expect(try EarlierFile.rows(at: damaged)["invoice"]?.count == 2)
  }

  private func schema(at path: String) async throws -> [String] {
    let database = try await LocalDatabase.open(at: path, migrator: EarlierFile.laterMigrator)
    let sql = try await database.read { db in
      try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_master WHERE sql NOTNULL ORDER BY name")
    }
    try await database.close()
    return sql
  }

  private func checkIntegrity(_ path: String) async throws {
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in
      while try SearchIndexer(db).addNext() {}
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
      try db.execute(
        sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
    }
    try queue.close()
  }
}
