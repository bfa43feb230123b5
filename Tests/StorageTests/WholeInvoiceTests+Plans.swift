import GRDB
import Models
import Testing

@testable import Storage

// How the database finds what is asked for most.
extension WholeInvoiceTests {
  @Test("the newest of an account, and all in the order of the rows, need no sorting")
  func plans() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      let wanted: [(String?, InvoiceQuery.Sort, String?)] = [
        ("default", .issueDate, nil), ("default", .updatedAt, nil), ("default", .stored, nil),
        (nil, .issueDate, nil), (nil, .stored, nil), ("default", .issueDate, "blue"),
        (nil, .issueDate, "blue paint"),
      ]
      for (account, sort, words) in wanted {
        var query = InvoiceQuery()
        query.account = account
        query.sort = sort
        query.search = words
        query.limit = 50
        let plan = try await plan(of: query, in: database)
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sort): \(plan)")
      }
    }
  }

  @Test(
    "however few have a status or are overdue, or belong to an account, no others are looked at",
    arguments: [nil, "default"])
  func fewPlan(account: String?) async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      let narrowings: [(inout InvoiceQuery) -> Void] = [
        { _ in }, { $0.statuses = [.draft] }, { $0.statuses = [.open, .paid, .draft] },
        { $0.dueBefore = CalendarDate("2024-04-01") },
        { $0.issuedFrom = CalendarDate("2024-01-01") }, { $0.includesVoidAndDeleted = true },
      ]
      for narrow in narrowings {
        var query = InvoiceQuery()
        (query.account, query.limit) = (account, 50)
        narrow(&query)
        let plan = try await plan(of: query, in: database)
        let reads = plan.filter { $0.contains(" invoice ") }
        #expect(reads.count == query.wantedStatuses.count)
        #expect(
          reads.allSatisfy { $0.contains("invoice_by_status (account=? AND status=?") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
    }
  }

  @Test("the sums of a few months look at no others", arguments: [nil, "default"])
  func summaryPlan(account: String?) async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      var query = InvoiceQuery()
      (query.account, query.issuedFrom) = (account, CalendarDate("2024-01-01"))
      let plan = try await database.plan { [query] in try query.summaryStatement($0) }
      #expect(
        plan.contains { $0.contains("(account=? AND status=? AND issue_date>?)") }, "\(plan)")
    }
  }

  @Test("more accounts than SQLite puts together are listed as few are")
  func manyAccounts() async throws {
    try await withDatabase { database in
      try await database.write { db in
        for number in 0..<60 {
          try db.execute(
            sql: "INSERT INTO account (name, source) VALUES (?, 's')", arguments: ["a\(number)"])
        }
      }
      _ = try await commit([try invoice("old"), try invoice("a")], to: database)
      #expect(
        try await database.invoices(matching: InvoiceQuery()).map(\.invoice.id) == ["a", "old"])
      try await database.write { db in
        try db.execute(sql: "DELETE FROM account WHERE name > 'a45' AND name < 'b'")
      }
      #expect(
        try await database.invoices(matching: InvoiceQuery()).map(\.invoice.id) == ["a", "old"])
    }
  }

  private func plan(of query: InvoiceQuery, in database: LocalDatabase) async throws -> [String] {
    try await database.read { db in
      let (sql, arguments) = try query.statement(db)
      return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
        .map { $0["detail"] as String }
    }
  }
}
