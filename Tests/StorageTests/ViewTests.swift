import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// The views for users have names, days, instants and amounts as their guide says.
@Suite(.timeLimit(.minutes(10))) struct ViewTests {
  private let scene = WholeInvoiceTests()

  /// Runs a query on a database with a few rows, and returns each row's values as text.
  private func rows(_ sql: String, _ changes: String = "") async throws -> [String] {
    let scene = scene
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let database = try await LocalDatabase.open(at: path)
    _ = try await scene.commit([try scene.invoice()], to: database)
    try await database.write { db in
      try db.execute(
        sql: """
          INSERT INTO contact (account, id, name, email, status, raw_status, fingerprint, synced_at,
            updated_at, is_customer)
          VALUES (1, 'c', 'Ada Ltd', 'x@y.example', 'active', 'ACTIVE', 1, 2, -1, 1);
          \(changes)
          """)
    }
    try await database.close()
    // As any other program opens it, without appcore's functions.
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try await queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }.joined(separator: "|")
      }
    }
  }

  @Test("an invoice has the account's and the contact's name, exact amounts and numbers that sort")
  func invoices() async throws {
    #expect(
      try await rows(
        """
        SELECT account, id, number, type, status, raw_status, contact_id, contact, contact_email,
          currency, issue_date, due_date, total, total_number, amount_due, amount_due_number,
          reference, updated_at, synced_at, deleted_at FROM invoices
        """) == [
          "default|a|2024-1|credit-note|partially-paid|PART|c|Ada|a@b.example|TND|2024-02-29"
            + "|2024-03-31|119.000|119.0|-110.5|-110.5|ref|1970-01-01T00:00:00.123456Z"
            + "|1970-01-01T00:00:00.000001Z|NULL"
        ])
    let nameless = "UPDATE invoice SET contact_name = NULL, contact_email = NULL"
    #expect(
      try await rows("SELECT contact, contact_email FROM invoices", nameless)
        == ["Ada Ltd|x@y.example"])
    #expect(
      try await rows("SELECT contact FROM invoices", nameless + "; DELETE FROM contact") == ["NULL"]
    )
  }

  @Test("a line has its invoice's key and its position from 1")
  func lines() async throws {
    #expect(
      try await rows(
        """
        SELECT account, invoice_id, invoice_number, type, status, contact, currency, issue_date,
          position, id, quantity, unit_amount, unit_amount_number, account_code FROM lines
        """) == [
          "default|a|2024-1|credit-note|partially-paid|Ada|TND|2024-02-29|1|l|3|0.123456|0.123456"
            + "|200",
          "default|a|2024-1|credit-note|partially-paid|Ada|TND|2024-02-29|2|NULL|NULL|NULL|NULL"
            + "|NULL",
        ])
  }

  @Test("a deleted record stays, with the status deleted and the time")
  func deleted() async throws {
    let delete = "UPDATE invoice SET deleted_at = 5000000, deleted_reason = 'gone'"
    #expect(
      try await rows("SELECT status, raw_status, deleted_at, deleted_reason FROM invoices", delete)
        == ["deleted|PART|1970-01-01T00:00:05.000000Z|gone"])
    #expect(try await rows("SELECT DISTINCT status FROM lines", delete) == ["deleted"])
    #expect(
      try await rows(
        "SELECT status FROM contacts",
        "UPDATE contact SET deleted_at = 5, deleted_reason = 'gone'") == ["deleted"])
  }

  @Test("an instant is text that sorts as it does, also before 1970")
  func instants() async throws {
    #expect(
      try await rows("SELECT name, updated_at, is_customer, is_supplier FROM contacts")
        == ["Ada Ltd|1969-12-31T23:59:59.999999Z|1|NULL"])
    // The whole range that can be stored: the years 1 to 9999.
    for instant in ["0001-01-01T00:00:00.000001Z", "9999-12-31T23:59:59.999999Z"] {
      let stored = try #require(Timestamp(instant)).microsecondsSinceEpoch
      #expect(
        try await rows(
          "SELECT updated_at FROM contacts", "UPDATE contact SET updated_at = \(stored)")
          == [instant])
    }
  }

  @Test("a query on days or amounts alone does not read contacts")
  func plan() async throws {
    let plan = try await rows(
      "EXPLAIN QUERY PLAN SELECT id, total_number FROM invoices WHERE issue_date > '2021'")
    #expect(!plan.isEmpty && !plan.contains { $0.contains("contact") }, "\(plan)")
  }
}
