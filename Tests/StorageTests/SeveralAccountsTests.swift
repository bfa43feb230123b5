import Models
import TestSupport
import Testing

@testable import Storage

/// Queries for the records of some accounts out of several.
@Suite(.timeLimit(.minutes(10))) struct SeveralAccountsTests {
  private let scene = WholeInvoiceTests()

  private func store(
    _ ids: [String], of account: String, in database: LocalDatabase
  ) async throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let start = RunStart(
      account: account, provider: "xero", kind: .full, startedAt: instant, watermarkBefore: nil)
    let invoices = try ids.map { id in
      var invoice = try scene.invoice(id)
      invoice.issueDate = CalendarDate("2024-01-0\(id.count)")
      return invoice
    }
    var page = PendingPage(source: "xero:" + account, instant: instant)
    page.records = database.invoiceStore.encode(invoices)
    _ = try await database.invoiceStore.beginRun(start).commit([page])
    var contacts = PendingPage(source: "xero:" + account, instant: instant)
    contacts.records = database.contactStore.encode(
      ids.map { Contact(id: $0, status: .active, rawStatus: "ACTIVE") })
    _ = try await database.contactStore.beginRun(start).commit([contacts])
  }

  @Test("a query finds the records of the named accounts, in one order, with or without an index")
  func selection() async throws {
    try await scene.withDatabase { database in
      try await store(["a", "aaa"], of: "one", in: database)
      try await store(["bb"], of: "two", in: database)
      try await store(["cccc"], of: "three", in: database)
      for isIndexed in [false, true] {
        if isIndexed { try await database.updateIndexes() }
        func found(_ accounts: [String]?, _ adjust: (inout InvoiceQuery) -> Void = { _ in })
          async throws -> String
        {
          var query = InvoiceQuery()
          query.accounts = accounts
          adjust(&query)
          let found = try await database.invoices(matching: query)
          #expect(try await database.invoiceCount(matching: query) == found.count)
          return found.map(\.invoice.id).joined(separator: " ")
        }
        #expect(try await found(["one", "two"]) == "aaa bb a")
        #expect(try await found(["two", "three"]) { $0.sort = .stored } == "cccc bb")
        #expect(try await found(["two", "none"]) { $0.sort = .number } == "bb")
        #expect(try await found(nil) == "cccc aaa bb a")
        #expect(try await found([]) == "")
        #expect(try await found(["one"]) == "aaa a")
        #expect(
          try await found(["one", "three"]) { $0.issuedThrough = CalendarDate("2024-01-03") }
            == "aaa a")
        var contacts = ContactQuery()
        contacts.accounts = ["one", "three"]
        #expect(try await database.contacts(matching: contacts).count == 3)
        #expect(try await database.contactCount(matching: contacts) == 3)
        contacts.account = "two"
        #expect(contacts.accounts == ["two"])
        #expect(try await database.contacts(matching: contacts).map(\.contact.id) == ["bb"])
      }
    }
  }
}
