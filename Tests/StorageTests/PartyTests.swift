import GRDB
import Models
import Testing

@testable import Storage

/// Invoices are found by their party, by way of an index.
@Suite(.timeLimit(.minutes(10))) struct PartyTests {
  private let scene = WholeInvoiceTests()

  private func invoice(_ id: String, _ party: Party) throws -> Invoice {
    var invoice = try scene.invoice(id)
    invoice.contact = party
    return invoice
  }

  private func ids(_ contact: String, in database: LocalDatabase) async throws -> [String] {
    var query = InvoiceQuery()
    query.contact = contact
    return try await database.invoices(matching: query).map(\.invoice.id).sorted()
  }

  @Test(
    "a party is found by words of its name, whatever their case and accents, or by its identifier")
  func names() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(
        [
          try invoice("e", Party(id: "C-1", name: "Éclair & Söhne GmbH")),
          try invoice("s", Party(id: "c-1", name: "ΣΟΦΟΣ ЮРИЙ")),
          try invoice("a", Party(name: "Ada Lovelace")),
          try invoice("n", Party(id: "eclair")),
        ], to: database)
      let wanted = [
        "éclair": ["e"], "ÉCL": ["e"], "soh": ["e"], "gmbh söhne": ["e"], "& Söhne": ["e"],
        "C-1": ["e"], "c-1": ["s"], "σοφος": ["s"], "юри": ["s"], "love": ["a"],
        "ada lovelace": ["a"], "lovelace ad": ["a"], "eclair": ["e", "n"], "lace": [],
        "Ada Byron": [], #"" OR *"#: [], "C-": [], "": ["a", "e", "n", "s"],
      ]
      for (contact, found) in wanted {
        #expect(try await ids(contact, in: database) == found, "\(contact)")
      }
    }
  }

  @Test("identifiers that end alike are two parties")
  func ends() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(
        [
          try invoice("one", Party(id: "customer-1-000042")),
          try invoice("two", Party(id: "customer-2-000042")),
          try invoice("short", Party(id: "42")), try invoice("none", Party(name: "000042")),
        ], to: database)
      #expect(try await ids("customer-2-000042", in: database) == ["two"])
      #expect(try await ids("42", in: database) == ["short"])
    }
  }

  @Test(
    "words that stand elsewhere in an invoice are no party's name, and another's name is not kept")
  func elsewhere() async throws {
    try await scene.withDatabase { database in
      var renamed = try invoice("r", Party(name: "Old"))
      let paint = try invoice("p", Party(name: "Ada"))
      _ = try await scene.commit([renamed, paint], to: database)
      #expect(try await ids("paint", in: database) == [])
      renamed.contact.name = "New"
      renamed.version = 8
      _ = try await scene.commit([renamed], to: database)
      #expect(try await ids("old", in: database) == [])
      #expect(try await ids("new", in: database) == ["r"])
      var query = InvoiceQuery()
      (query.contact, query.search) = ("ada", "paint")
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["p"])
      query.search = "paper"
      #expect(try await database.invoices(matching: query).isEmpty)
    }
  }

  @Test("no query for a party reads every invoice", arguments: InvoiceQuery.Sort.allCases)
  func plans(sort: InvoiceQuery.Sort) async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try invoice("a", Party(id: "c", name: "Ada"))], to: database)
      try await database.updateIndexes()
      for account in [nil, "default"] {
        for (limit, words) in [(nil, nil), (10, nil), (10, "paint")] as [(Int?, String?)] {
          var query = InvoiceQuery()
          (query.contact, query.account) = ("Ada", account)
          (query.sort, query.limit, query.search) = (sort, limit, words)
          query.statuses = [.open]
          query.issuedFrom = CalendarDate("2024-01-01")
          query.dueBefore = CalendarDate("2025-01-01")
          let plan = try await database.plan { [query] in try query.statement($0) }
          #expect(plan.contains { $0.contains("invoice_by_contact") }, "\(plan)")
          let reads = plan.filter { $0.contains(" invoice") && !$0.contains("VIRTUAL TABLE") }
          #expect(
            reads.allSatisfy {
              $0.contains("INTEGER PRIMARY KEY (rowid=?)")
                || $0.contains("invoice_by_contact (<expr>=?)")
            }, "\(sort), \(account ?? "all"): \(plan)")
        }
      }
    }
  }
}

extension LocalDatabase {
  /// Returns SQLite's query plan for a statement.
  func plan(
    of statement:
      @escaping @Sendable (Database) throws -> (
        sql: String, arguments: StatementArguments
      )
  ) async throws -> [String] {
    try await read { db in
      // Unlike a query, EXPLAIN does not notice an index that another connection has created.
      _ = try Row.fetchOne(db, sql: "SELECT 1 FROM account")
      let (sql, arguments) = try statement(db)
      return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
        .map { $0["detail"] as String }
    }
  }
}
