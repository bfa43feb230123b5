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
    "what is overdue is found by an index: the newest in their order, or those that are due alone",
    arguments: [
      (InvoiceQuery.Sort.issueDate, "invoice_by_issue_date (account=?)"),
      (.dueDate, "invoice_by_status (account=? AND status=? AND due_date<?)"),
    ])
  func overduePlan(sort: InvoiceQuery.Sort, index: String) async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      var query = InvoiceQuery()
      query.account = "default"
      query.dueBefore = CalendarDate("2024-04-01")
      query.sort = sort
      query.limit = 50
      let plan = try await plan(of: query, in: database)
      #expect(plan.contains("SEARCH invoice USING INDEX " + index), "\(plan)")
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
