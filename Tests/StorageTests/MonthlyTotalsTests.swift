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
    return try await texts(database.totals(matching: query, by: .month))
  }

  private func texts(_ totals: [GroupTotals]) -> [String] {
    totals.map { totals in
      let group =
        switch totals.group {
        case .month(let month): month?.description
        case .year(let year): year?.description
        default: "all"
        }
      return "\(group ?? "-") \(totals.currency) \(totals.type.rawValue) \(totals.count) "
        + "\(totals.total) \(totals.amountDue)"
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

  @Test("net and tax complete each other, and are unknown if an invoice states neither")
  func taxes() async throws {
    func amounts(
      _ id: String, _ currency: String, _ total: String, net: String? = nil, tax: String? = nil
    ) throws -> Invoice {
      var invoice = try invoice(id, "2024-01-31", total, currency: currency)
      (invoice.subtotal, invoice.totalTax) = (
        net.flatMap { ExactDecimal($0) }, tax.flatMap { ExactDecimal($0) }
      )
      return invoice
    }
    try await scene.withDatabase { database in
      _ = try await scene.commit(
        [
          try amounts("a", "EUR", "119.00", net: "100", tax: "19.00"),
          try amounts("b", "EUR", "11.90", net: "10"), try amounts("c", "EUR", "1.19", tax: "0.19"),
          try amounts("d", "USD", "5", net: "4", tax: "1"), try amounts("e", "USD", "7"),
        ], to: database)
      for grouping in [InvoiceGrouping.year, .currency, .account] {
        let found = try await database.totals(matching: InvoiceQuery(), by: grouping)
        #expect(
          texts(found)
            == (grouping == .year
              ? ["2024 EUR invoice 3 132.09 132.09", "2024 USD invoice 2 12 12"]
              : ["all EUR invoice 3 132.09 132.09", "all USD invoice 2 12 12"]))
        #expect(found.map { $0.net?.description } == ["111.00", nil], "\(found)")
        #expect(found.map { $0.tax?.description } == ["21.09", nil], "\(found)")
      }
    }
  }

  @Test("sums by tax rate are those of the invoices, or else of their lines")
  func taxRates() async throws {
    func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }
    var stated = try invoice("a", "2024-01-31", "131.00")
    stated.taxBreakdown = try [
      ("A", "19", "100", "19"), ("B", "7", "10", "0.7"), ("A", "19", "1", "0.3"),
    ]
    .map {
      TaxSubtotal(
        name: $0.0, rate: try decimal($0.1), taxableAmount: try decimal($0.2),
        taxAmount: try decimal($0.3))
    }
    var lines = try invoice("b", "2024-01-31", "12")
    (lines.linesIncludeTax, lines.taxBreakdown) = (true, [])
    lines.lines = [
      InvoiceLine(taxType: "OUTPUT", taxAmount: try decimal("2"), lineAmount: try decimal("12"))
    ]
    var none = try invoice("c", "2024-01-31", "8")
    (none.lines, none.taxBreakdown) = ([], [])
    (none.subtotal, none.totalTax) = (try decimal("8"), nil)
    let invoices = [stated, lines, none]
    try await scene.withDatabase { database in
      _ = try await scene.commit(invoices, to: database)
      let found = try await database.taxTotals(matching: InvoiceQuery()).map { totals in
        "\(totals.tax.name ?? "-") \(totals.tax.rate?.description ?? "-") \(totals.count) "
          + [totals.net, totals.taxAmount].map { $0?.description ?? "-" }.joined(separator: " ")
      }
      #expect(found == ["A 19 1 101 19.3", "B 7 1 10 0.7", "- - 1 8 0", "OUTPUT - 1 10 2"])
    }
  }

  @Test("the sums of an account read its invoices only")
  func plan() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try invoice("a", "2024-01-31", "1")], to: database)
      try await database.updateIndexes()
      // SQLite explains a statement without looking whether another connection made an index.
      #expect(try await database.totals(matching: InvoiceQuery(), by: .month).count == 1)
      for days in [nil, CalendarDate("2024-01-01")] {
        var query = InvoiceQuery()
        query.account = "default"
        (query.issuedFrom, query.issuedThrough) = (days, days)
        let plan = try await database.plan { [query] in try query.totalsStatement(by: .month, $0) }
        let reads = plan.filter { $0.contains(" invoice") }
        #expect(reads.count == 1 && reads.allSatisfy { $0.contains("(account=?") }, "\(plan)")
      }
    }
  }
}
