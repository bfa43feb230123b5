import GRDB
import Models
import Testing

@testable import Storage

// The query plans of the most frequent queries.
extension WholeInvoiceTests {
  @Test("the newest of an account, and all in the order of the rows, need no sorting")
  func plans() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      try await database.updateIndexes()
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
    "a query by status, due date or account reads no other invoices, however few match",
    arguments: [nil, "default"])
  func fewPlan(account: String?) async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      try await database.updateIndexes()
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
          reads.allSatisfy {
            $0.contains("invoice_by_status (account=? AND status=?")
              || $0.contains("invoice_by_deletion (account=?")
          }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
    }
  }

  @Test(
    "few matches are found by an index in every other order as well", arguments: [nil, "default"])
  func fewInOtherOrders(account: String?) async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      try await database.updateIndexes()
      for query in few(of: account) {
        let summary = try await database.plan { try query.totalsStatement(by: .month, $0) }
        expect(summary, toUse: "invoice_by_status (account=? AND status=?")
        for sort in [InvoiceQuery.Sort.total, .number, .updatedAt, .contact, .dueDate] {
          var sorted = query
          sorted.sort = sort
          let index =
            sort == .dueDate && query.dueBefore != nil
            ? "invoice_by_due_date (account=? AND due_date<?)"
            : "invoice_by_status (account=? AND status=?"
          expect(try await plan(of: sorted, in: database), toUse: index)
        }
      }
    }
  }

  /// Queries that narrow what is wanted, each in another way.
  private func few(of account: String?) -> [InvoiceQuery] {
    var queries = Array(repeating: InvoiceQuery(), count: 4)
    for index in queries.indices { queries[index].account = account }
    queries[0].dueBefore = CalendarDate("2024-04-01")
    queries[1].statuses = [.draft, .open]
    queries[2].issuedFrom = CalendarDate("2024-01-01")
    queries[3].issuedThrough = CalendarDate("2024-01-01")
    queries[3].includesVoidAndDeleted = true
    return queries
  }

  private func expect(_ plan: [String], toUse index: String) {
    let reads = plan.filter { $0.contains(" invoice ") }
    #expect(reads.count == 1 && reads.allSatisfy { $0.contains(index) }, "\(plan)")
  }

  @Test(
    "invoices to be paid come in the order of their due dates without sorting",
    arguments: [nil, "default"])
  func unpaidPlan(account: String?) async throws {
    try await withDatabase { database in
      var (partly, open) = (try invoice("p"), try invoice("o"))
      (partly.dueDate, open.status) = (CalendarDate("2024-05-01"), .open)
      var (gone, paid) = (try invoice("g"), try invoice("paid"))
      (gone.status, paid.status) = (.deleted, .paid)
      _ = try await commit([partly, open, gone, paid], to: database)
      try await database.updateIndexes()
      var queries: [String: InvoiceQuery] = [:]
      for found in ["p o", "o", "o "] {
        var query = InvoiceQuery()
        (query.account, query.sort, query.statuses) = (account, .dueDate, [.open])
        queries[found] = query
      }
      queries["p o"]?.statuses?.insert(.partiallyPaid)
      queries["o "]?.statuses = nil
      queries["o "]?.dueBefore = CalendarDate("2024-04-20")
      for (found, query) in queries {
        let plan = try await plan(of: query, in: database)
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        let ids = try await database.invoices(matching: query).map(\.invoice.id)
        #expect(ids == found.split(separator: " ").map(String.init))
      }
    }
  }

  @Test("one invoice is found by its identifier or number without a look at others")
  func onePlan() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      try await database.updateIndexes()
      // A statement that is explained only, and not run, does not notice new indexes.
      #expect(try await database.invoices(named: "a", account: nil).count == 1)
      for column in ["id", "number"] {
        let plan = try await database.plan { _ in
          (
            LocalDatabase.statement(where: LocalDatabase.condition(on: column)), ["a", nil, nil]
          )
        }
        #expect(plan.contains { $0.contains("(account=? AND \(column)=?)") }, "\(plan)")
      }
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
