import Models
import Testing

@testable import Storage

/// Invoices are added up by month, to the last digit.
@Suite(.timeLimit(.minutes(10))) struct MonthlyTotalsTests {
  private let scene = WholeInvoiceTests()

  private func invoice(
    _ id: String, _ day: String?, _ total: String, currency: String = "EUR",
    type: InvoiceType = .invoice, status: InvoiceStatus = .open
  ) throws -> Invoice {
    var invoice = try scene.invoice(id)
    invoice.issueDate = day.flatMap { CalendarDate($0) }
    invoice.total = try #require(ExactDecimal(total))
    invoice.amountDue = status == .paid ? nil : invoice.total
    invoice.currency = try #require(Currency(code: currency))
    (invoice.type, invoice.status) = (type, status)
    return invoice
  }

  private func sums(
    in database: LocalDatabase, _ adjust: (inout InvoiceQuery) -> Void = { _ in }
  ) async throws -> [String] {
    var query = InvoiceQuery()
    query.account = "default"
    adjust(&query)
    return try await database.monthlyTotals(matching: query).map {
      "\($0.month?.description ?? "-") \($0.currency) \($0.type.rawValue) \($0.count) \($0.total) "
        + "\($0.amountDue)"
    }
  }

  @Test("months, currencies and types are kept apart, and sums are exact")
  func sums() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(
        [
          try invoice("a", "2024-01-31", "9007199254740993.01"),
          try invoice("b", "2024-01-01", "0.10"), try invoice("c", "2024-01-02", "0.2"),
          try invoice("paid", "2024-01-02", "-3.005", status: .paid),
          try invoice("d", "2024-02-01", "5"), try invoice("old", "0999-12-31", "1"),
          try invoice("yen", "2024-01-05", "500", currency: "JPY"),
          try invoice("bill", "2024-01-05", "7", type: .bill), try invoice("none", nil, "8"),
          try invoice("void", "2024-01-05", "1000", status: .void),
        ], to: database)
      #expect(
        try await sums(in: database) == [
          "2024-02 EUR invoice 1 5 5", "2024-01 EUR bill 1 7 7",
          "2024-01 EUR invoice 4 9007199254740990.305 9007199254740993.31",
          "2024-01 JPY invoice 1 500 500", "0999-12 EUR invoice 1 1 1", "- EUR invoice 1 8 8",
        ])
    }
  }

  // Edge case 55
  @Test("amounts whose sum has more than 38 digits are summed exactly")
  func farApart() async throws {
    try await scene.withDatabase { database in
      let most = String(repeating: "9", count: 38)
      _ = try await scene.commit(
        [
          try invoice("a", "2024-01-31", "1e-38"), try invoice("b", "2024-01-01", "100.50"),
          try invoice("c", "2024-02-01", most), try invoice("d", "2024-02-01", most),
        ], to: database)
      let (small, large) = (
        "100.50000000000000000000000000000000000001", "1" + most.dropLast() + "8"
      )
      #expect(
        try await sums(in: database) == [
          "2024-02 EUR invoice 2 \(large) \(large)", "2024-01 EUR invoice 2 \(small) \(small)",
        ])
      let totals = try await database.invoiceTotals(account: nil)
      #expect(totals.map(\.total) == totals.map(\.amountDue) && totals.map(\.count) == [4])
      let all =
        "2" + String(repeating: "0", count: 36) + "98.50000000000000000000000000000000000001"
      #expect(totals.first?.total.description == all)
    }
  }

  @Test("the filters of a list apply to the sums, and its order and limit do not")
  func filters() async throws {
    try await scene.withDatabase { database in
      var other = try invoice("b", "2024-02-01", "2")
      other.contact = Party(name: "Bob")
      other.lines = [InvoiceLine(description: "paper")]
      _ = try await scene.commit(
        [
          try invoice("a", "2024-01-31", "1"), other,
          try invoice("v", "2024-03-01", "4", status: .void),
        ],
        to: database)
      let (january, february) = ("2024-01 EUR invoice 1 1 1", "2024-02 EUR invoice 1 2 2")
      #expect(try await sums(in: database) == [february, january])
      #expect(
        try await sums(in: database) { query in
          (query.limit, query.isAscending, query.sort) = (1, true, .total)
        } == [february, january])
      #expect(try await sums(in: database) { $0.contact = "bob" } == [february])
      #expect(try await sums(in: database) { $0.search = "paint" } == [january])
      #expect(
        try await sums(in: database) { $0.issuedFrom = CalendarDate("2024-02-01") } == [february])
      #expect(try await sums(in: database) { $0.statuses = [.paid] } == [])
      #expect(try await sums(in: database) { $0.account = "other" } == [])
      #expect(try await sums(in: database) { $0.account = nil } == [february, january])
      #expect(try await sums(in: database) { $0.includesVoidAndDeleted = true }.count == 3)
    }
  }

  @Test("the sums of an account read its invoices only")
  func plan() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try invoice("a", "2024-01-31", "1")], to: database)
      try await database.updateIndexes()
      // SQLite explains a statement without looking whether another connection made an index.
      #expect(try await database.monthlyTotals(matching: InvoiceQuery()).count == 1)
      for days in [nil, CalendarDate("2024-01-01")] {
        var query = InvoiceQuery()
        query.account = "default"
        (query.issuedFrom, query.issuedThrough) = (days, days)
        let plan = try await database.plan { [query] in try query.summaryStatement($0) }
        let reads = plan.filter { $0.contains(" invoice") }
        #expect(reads.count == 1 && reads.allSatisfy { $0.contains("(account=?") }, "\(plan)")
      }
    }
  }
}
