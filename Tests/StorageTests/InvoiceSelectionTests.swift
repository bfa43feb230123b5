import Models
import Testing

@testable import Storage

/// Types, currencies and totals that a query selects.
@Suite(.timeLimit(.minutes(10))) struct InvoiceSelectionTests {
  private let scene = WholeInvoiceTests()

  private func invoice(
    _ id: String, _ total: String, _ currency: String = "EUR", type: InvoiceType = .invoice
  ) throws -> Invoice {
    var invoice = try scene.invoice(id)
    invoice.total = try #require(ExactDecimal(total))
    invoice.currency = try #require(Currency(code: currency))
    invoice.type = type
    return invoice
  }

  @Test("totals are compared as numbers, to the last digit, and sorted by currency first")
  func totals() async throws {
    try await scene.withDatabase { database in
      _ = try await commit(in: database)
      func ids(_ adjust: (inout InvoiceQuery) -> Void) async throws -> String {
        var query = InvoiceQuery()
        (query.sort, query.isAscending) = (.total, true)
        adjust(&query)
        let found = try await database.invoices(matching: query)
        #expect(try await database.invoiceCount(matching: query) == found.count)
        return found.map(\.invoice.id).joined()
      }
      #expect(try await ids { _ in } == "cbaed")
      #expect(try await ids { $0.minimumTotal = ExactDecimal("10.0") } == "aed")
      #expect(try await ids { $0.minimumTotal = ExactDecimal("9007199254740993.01") } == "e")
      #expect(try await ids { $0.maximumTotal = ExactDecimal("9.9") } == "cb")
      #expect(try await ids { $0.types = [.bill] } == "b")
      #expect(try await ids { $0.types = [] } == "")
      #expect(
        try await ids { $0.currencies = Set([Currency(code: "JPY")].compactMap(\.self)) } == "d")
    }
  }

  private func commit(in database: LocalDatabase) async throws -> ChangeCounts {
    try await scene.commit(
      [
        try invoice("a", "10"), try invoice("b", "9", type: .bill), try invoice("c", "-100"),
        try invoice("d", "500", "JPY"), try invoice("e", "9007199254740993.01"),
      ], to: database)
  }

  @Test("types, currencies and totals are read from rows that an index finds, in their order")
  func plan() async throws {
    try await scene.withDatabase { database in
      _ = try await commit(in: database)
      try await database.updateIndexes()
      var query = InvoiceQuery()
      (query.account, query.limit, query.types) = ("default", 30, [.bill])
      (query.minimumTotal, query.maximumTotal) = (.zero, ExactDecimal(10))
      let plan = try await database.plan { [query] in try query.statement($0) }
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      let reads = plan.filter { $0.contains(" invoice ") }
      #expect(reads.allSatisfy { $0.contains("invoice_by_status (account=? AND status=?") })
    }
  }

  @Test("an invoice without its contact's name has that of the contact, in the same statement")
  func contactNames() async throws {
    try await scene.withDatabase { database in
      var invoices = [try scene.invoice("a"), try scene.invoice("b"), try scene.invoice("c")]
      invoices[0].contact = Party(id: "k")
      invoices[1].contact = Party(id: "k", name: "Own")
      invoices[2].contact = Party(id: "unknown")
      _ = try await scene.commit(invoices, to: database)
      var contact = Contact(id: "k", status: .active, rawStatus: "A")
      contact.name = "Łódź Ltd"
      try await ContactQueryTests.commit([contact], to: database)
      var query = InvoiceQuery()
      (query.sort, query.isAscending) = (.contact, true)
      let found = try await database.invoices(matching: query)
      #expect(found.map(\.invoice.contact.name) == [nil, "Own", "Łódź Ltd"])
      #expect(try await database.invoice("a", account: nil)?.invoice.contact.name == "Łódź Ltd")
      query.contact = "lod"
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
      // The stored record is what the provider sent, with which the next one is compared.
      #expect(try await scene.commit(invoices, to: database).unchanged == 3)
    }
  }
}
