import Models
import Testing

@testable import Storage

/// A long list holds keys, and fetches the invoices that it shows.
@Suite(.timeLimit(.minutes(10))) struct InvoiceKeyTests {
  private let scene = WholeInvoiceTests()

  @Test("keys come in the order of the query, whatever order, filter or words it has")
  func order() async throws {
    try await scene.withDatabase { database in
      let invoices = try (0..<40).map { number in
        var invoice = try scene.invoice("id\(number)")
        invoice.number = "N\(number * 7 % 40)"
        invoice.contact.name = number.isMultiple(of: 3) ? "Garnet" : "Elmswood"
        invoice.status = number.isMultiple(of: 2) ? .paid : .open
        return invoice
      }
      _ = try await scene.commit(invoices, to: database)
      try await database.updateIndexes()
      for sort in InvoiceQuery.Sort.allCases {
        for search in [nil, "garnet"] {
          var query = InvoiceQuery()
          (query.sort, query.search, query.limit) = (sort, search, 30)
          let expected = try await database.invoices(matching: query)
          let keys = try await database.invoiceKeys(matching: query)
          let found = try await database.invoices(withKeys: keys, includesLines: true)
          var whole = keys.compactMap { found[$0] }
          // What a balance is made of is read for these alone, which are few.
          #expect(whole.allSatisfy { $0.balance != nil })
          for index in whole.indices { whole[index].balance = nil }
          #expect(whole == expected, "\(sort) \(search ?? "")")
          #expect(keys.count == expected.count && !keys.isEmpty)
        }
      }
    }
  }

  @Test("a key whose records were forgotten finds nothing")
  func forgotten() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try scene.invoice()], to: database)
      let keys = try await database.invoiceKeys(matching: InvoiceQuery())
      #expect(try await database.invoices(withKeys: keys).count == 1)
      try await database.forgetRecords(account: "default")
      #expect(try await database.invoices(withKeys: keys).isEmpty)
    }
  }
}
