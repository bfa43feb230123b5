import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Files of every earlier version are brought up to date, and lose nothing.
@Suite struct MigrationTests {
  @Test("a file of the first version keeps its invoices, lines, deletions, cursor and runs")
  func first() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let queue = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(queue, upTo: "1 invoices")
    try await queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO account (row, name, source) VALUES (1, 'default', 'xero:t');
          INSERT INTO invoice (row, account, id, number, type, status, raw_status, contact_name,
            currency, issue_date, updated_at, total, amount_due, reference, synced_at)
          VALUES (7, 1, 'a', 'N-1', 'invoice', 'open', 'AUTHORISED', 'Ada', 'EUR', '2024-01-02',
            5000000, '12.50', '2.50', 'Büro', 9);
          INSERT INTO invoice (row, account, id, type, status, raw_status, currency, updated_at,
            total, synced_at, deleted_at, deleted_reason)
          VALUES (8, 1, 'b', 'bill', 'deleted', 'DELETED', 'EUR', 6000000, '1', 9, 10, 'status');
          INSERT INTO line (invoice, position, description, quantity, line_amount)
          VALUES (7, 0, 'Paint', '2', '12.50');
          INSERT INTO cursor VALUES (1, 'invoices', x'7b7d', 6000000, 1);
          INSERT INTO run (account_name, resource, provider, mode, result, started_at, ended_at)
          VALUES ('default', 'invoices', 'xero', 'full', 'complete', 1, 2);
          """)
    }
    try queue.close()

    let database = try await LocalDatabase.open(at: path)
    let invoice = try #require(try await database.invoice("a", account: "default")).invoice
    #expect(invoice.number == "N-1" && invoice.total.description == "12.50")
    #expect(invoice.updatedAt == Timestamp(microsecondsSinceEpoch: 5_000_000))
    #expect(invoice.lines.map(\.description) == ["Paint"])
    #expect(try await database.invoice("b", account: nil)?.deletedReason == "status")
    let resumption = try await database.invoiceStore.resumption(account: "default")
    #expect(resumption?.cursor == Array("{}".utf8) && resumption?.isComplete == true)
    let run = try await database.lastRun(account: "default", resource: "invoices")
    #expect(run?.result == .complete)
    var query = InvoiceQuery()
    query.search = "buro pai"
    #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
    try await database.close()
    try await checkIntegrity(path)
  }

  @Test("the tables of a new file are those of a migrated one")
  func same() async throws {
    let folder = try TemporaryDirectory()
    func schema(_ name: String, from first: String?) async throws -> [String] {
      let queue = try DatabaseQueue(path: folder.file(name))
      if let first { try Schema.migrator.migrate(queue, upTo: first) }
      try queue.close()
      let database = try await LocalDatabase.open(at: folder.file(name))
      let sql = try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT sql FROM sqlite_master WHERE sql NOTNULL ORDER BY name")
      }
      try await database.close()
      return sql
    }
    let new = try await schema("new", from: nil)
    #expect(try await schema("old", from: "1 invoices") == new)
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
