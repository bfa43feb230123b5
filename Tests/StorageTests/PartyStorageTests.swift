import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Addresses, own parties, allowances and charges are rows of their own.
@Suite(.timeLimit(.minutes(10))) struct PartyStorageTests {
  private static let tables = ["party", "allowance_charge"]

  @Test("an invoice without parties costs no row, and keeps its earlier fingerprint")
  func nothingStated() async throws {
    let helper = WholeInvoiceTests()
    try await helper.withDatabase { database in
      var plain = try helper.invoice()
      plain.contact.address = nil
      plain.ownParty = nil
      plain.allowancesAndCharges = []
      plain.attachments = []
      _ = try await helper.commit([plain], to: database)
      for table in Self.tables {
        let rows = try await database.read { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
        }
        #expect(rows == 0)
      }
      // Another one would make every stored invoice count as changed once.
      let known: Int64 = 2_336_195_691_851_268_031
      let fingerprint = try await database.read { db in
        try Int64.fetchOne(db, sql: "SELECT fingerprint FROM invoice")
      }
      #expect(fingerprint == known)
    }
  }

  @Test("a party that is stated later is stored once, and then unchanged")
  func filledIn() async throws {
    let helper = WholeInvoiceTests()
    try await helper.withDatabase { database in
      let whole = try helper.invoice()
      var plain = whole
      plain.contact.address = nil
      plain.allowancesAndCharges = []
      _ = try await helper.commit([plain], to: database)
      #expect(try await helper.commit([whole], to: database).updated == 1)
      #expect(try await helper.commit([whole], to: database).unchanged == 1)
      #expect(try await helper.commit([plain], to: database).updated == 1)
      #expect(try await database.invoice("a", account: nil)?.invoice == plain)
    }
  }

  @Test("lists leave out parties, like lines")
  func lists() async throws {
    let helper = WholeInvoiceTests()
    try await helper.withDatabase { database in
      _ = try await helper.commit([try helper.invoice()], to: database)
      var query = InvoiceQuery()
      query.includesLines = false
      let listed = try #require(try await database.invoices(matching: query).first?.invoice)
      #expect(listed.ownParty == nil && listed.contact.address == nil)
      #expect(listed.contact.name == "Ada" && listed.allowancesAndCharges.isEmpty)
    }
  }
}
