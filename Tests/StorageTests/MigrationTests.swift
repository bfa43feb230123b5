import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Files of every earlier version are brought up to date, and lose nothing.
@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
  @Test("there is a file of each earlier version to try")
  func versions() {
    #expect(EarlierFile.migrations.first == "1 invoices")
    #expect(EarlierFile.migrations.count == Schema.migrator.migrations.count - 1)
    #expect(EarlierFile.migrations.count >= 4)
  }

  @Test(
    "a file of an earlier version keeps every value of every row", arguments: EarlierFile.migrations
  )
  func rows(migration: String) async throws {
    let folder = try TemporaryDirectory()
    let file = try EarlierFile(at: folder.file("a.sqlite"), migration: migration)
    let before = try EarlierFile.rows(at: file.path)
    #expect(before.count == (file.hasParties ? 12 : file.isWhole ? 10 : 5))
    #expect(before.allSatisfy { !$0.value.isEmpty }, "a table of it is not tried")
    try await LocalDatabase.open(at: file.path).close()
    let after = try EarlierFile.rows(at: file.path)
    for (table, rows) in before {
      let found = try #require(after[table], "\(table) is gone")
      try #require(found.count == rows.count, "\(table)")
      for (row, kept) in zip(rows, found) {
        // What is new beside them is not compared.
        #expect(kept.filter { row.keys.contains($0.key) } == row, "\(table)")
      }
    }
    try await checkIntegrity(file.path)
  }

  @Test(
    "what is read from a file of an earlier version is what was stored in it",
    arguments: EarlierFile.migrations)
  func meaning(migration: String) async throws {
    let folder = try TemporaryDirectory()
    let file = try EarlierFile(at: folder.file("a.sqlite"), migration: migration)
    let database = try await LocalDatabase.open(at: file.path)
    let invoice = try #require(try await database.invoice("a", account: "default")).invoice
    #expect(invoice.number == "N-1" && invoice.total.description == "12.50")
    #expect(invoice.updatedAt == Timestamp(microsecondsSinceEpoch: 5_000_000))
    #expect(invoice.lines.map(\.description) == ["Paint"])
    #expect(try await database.invoice("b", account: nil)?.deletedReason == "status")
    let resumption = try await database.invoiceStore.resumption(account: "default")
    #expect(resumption?.checkpoint == Array("{}".utf8) && resumption?.isComplete == true)
    let run = try await database.lastRun(account: "default", resource: .invoices)
    #expect(run?.result == .complete)
    var query = InvoiceQuery()
    query.search = "buro pai"
    #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
    if file.isWhole {
      #expect(invoice.payments.map(\.reference) == ["bank"] && invoice.orderNumber == "PO-9")
      #expect(invoice.taxBreakdown.map(\.name) == ["VAT"] && invoice.version == 3)
      #expect(invoice.attachments.map(\.fileName) == ["a.pdf"])
      #expect(try await database.contacts(account: "default").map(\.id) == ["c"])
    }
    if file.hasParties {
      #expect(invoice.contact.address?.lines == ["Road 1"] && invoice.ownParty?.name == "Us")
      #expect(invoice.allowancesAndCharges.map(\.reason) == ["loyal"])
    }
    // Only what lacks the parts of whole invoices is filled in by the next full run.
    let fingerprints = try await database.read { db in
      try Int64.fetchSet(db, sql: "SELECT fingerprint FROM invoice")
    }
    #expect(fingerprints == [file.isWhole ? EarlierFile.fingerprint : 0])
    try await database.close()
  }

  @Test(
    "the tables of a new file are those of a migrated one", arguments: EarlierFile.migrations)
  func same(migration: String) async throws {
    let folder = try TemporaryDirectory()
    let old = try EarlierFile(at: folder.file("old"), migration: migration)
    #expect(try await schema(at: old.path) == schema(at: folder.file("new")))
  }

  private func schema(at path: String) async throws -> [String] {
    let database = try await LocalDatabase.open(at: path)
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
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
      try db.execute(
        sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
    }
    try queue.close()
  }
}
