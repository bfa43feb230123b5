import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// The file itself refuses amounts that could not be added up.
@Suite(.timeLimit(.minutes(10))) struct AmountConstraintTests {
  private func insert(
    _ id: String, total: String, due: String?, into db: Database
  ) throws {
    try db.execute(sql: "INSERT OR IGNORE INTO account (row, name, source) VALUES (1, 'a', 's')")
    try db.execute(
      sql: """
        INSERT INTO invoice (account, id, type, status, raw_status, currency, total, amount_due,
          fingerprint, synced_at) VALUES (1, ?, 'invoice', 'open', 'o', 'EUR', ?, ?, 1, 1)
        """, arguments: [id, total, due])
  }

  private func version3(_ path: String, total: String) throws {
    let queue = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(queue, upTo: "3 words of the search index")
    try queue.write { try insert("kept", total: total, due: "-0.50", into: $0) }
    try queue.close()
  }

  @Test(
    "what is no decimal is refused by the file, whoever writes it",
    arguments: ["", "12,50", "1e5", "NaN", "EUR 1", "1 000", "0x1F", "१"])
  func refused(amount: String) async throws {
    try await WholeInvoiceTests().withDatabase { database in
      for (total, due) in [(amount, nil), ("1", amount)] as [(String, String?)] {
        await #expect {
          try await database.pool.write { try insert("x", total: total, due: due, into: $0) }
        } throws: {
          ($0 as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
        }
      }
      _ = try await database.pool.write { try insert("x", total: "1", due: nil, into: $0) }
      await #expect(throws: DatabaseError.self) {
        try await database.pool.write { db in
          try db.execute(sql: "UPDATE invoice SET total = ?", arguments: [amount])
        }
      }
      #expect(try await database.invoiceTotals(account: "a").first?.total.description == "1")
    }
  }

  @Test("every decimal that there is can be stored")
  func accepted() async throws {
    let scene = WholeInvoiceTests()
    try await scene.withDatabase { database in
      let digits = String(repeating: "9", count: 38)
      let texts = ["0", "-0.00", "-12.50", digits, "-" + digits, "0." + digits.dropFirst()]
      let invoices = try texts.enumerated().map { number, text in
        var invoice = try scene.invoice("\(number)")
        invoice.total = try #require(ExactDecimal(text))
        invoice.amountDue = number == 0 ? nil : invoice.total
        return invoice
      }
      _ = try await scene.commit(invoices, to: database)
      let stored = try await database.invoices(matching: InvoiceQuery()).map(\.invoice)
      #expect(stored.sorted { $0.id < $1.id } == invoices)
    }
  }

  @Test("a file of the third version keeps what it holds, and refuses from then on")
  func migrated() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    try version3(path, total: "12.50")
    let database = try await LocalDatabase.open(at: path)
    #expect(database.damagedFile == nil)
    #expect(try await database.invoice("kept", account: nil)?.invoice.total.description == "12.50")
    await #expect(throws: DatabaseError.self) {
      try await database.pool.write { try insert("x", total: "much", due: nil, into: $0) }
    }
    let found = try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(found == ["ok"])
    try await database.close()
  }

  @Test("a file that holds what is no amount is put aside whole, and everything read anew")
  func wrong() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    try version3(path, total: "much")
    let database = try await LocalDatabase.open(at: path)
    let aside = try #require(database.damagedFile)
    #expect(try await database.invoiceCount(account: nil) == 0)
    try await database.close()
    let queue = try DatabaseQueue(path: aside)
    #expect(
      try await queue.read { try String.fetchOne($0, sql: "SELECT total FROM invoice") } == "much")
    try queue.close()
  }
}
