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

  @Test(
    "the file refuses text that is no decimal, even from another program",
    arguments: ["", "12,50", "1e5", "NaN", "EUR 1", "1 000", "0x1F", "१"])
  func refused(amount: String) async throws {
    try await WholeInvoiceTests().withDatabase { database in
      let other = try DatabaseQueue(path: database.path)
      for (total, due) in [(amount, nil), ("1", amount)] as [(String, String?)] {
        await #expect {
          try await other.write { try insert("x", total: total, due: due, into: $0) }
        } throws: {
          ($0 as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
        }
      }
      _ = try await other.write { try insert("x", total: "1", due: nil, into: $0) }
      await #expect(throws: DatabaseError.self) {
        try await other.write { db in
          try db.execute(sql: "UPDATE invoice SET total = ?", arguments: [amount])
        }
      }
      #expect(try await database.invoiceTotals(account: "a").first?.total.description == "1")
    }
  }

  @Test("every decimal can be stored")
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
}
