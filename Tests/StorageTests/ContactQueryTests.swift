import GRDB
import Models
import Testing

@testable import Storage

/// Contacts with what their invoices amount to.
@Suite(.timeLimit(.minutes(10))) struct ContactQueryTests {
  private let scene = WholeInvoiceTests()

  static func commit(_ contacts: [Contact], to database: LocalDatabase) async throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await database.contactStore.beginRun(
      RunStart(
        account: "default", provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    page.records = database.contactStore.encode(contacts)
    _ = try await run.commit([page])
  }

  private func contact(_ id: String, _ name: String) -> Contact {
    var contact = Contact(id: id, status: .active, rawStatus: "A")
    contact.name = name
    return contact
  }

  private func invoice(
    _ id: String, of contact: String, _ due: String?, type: InvoiceType = .invoice,
    status: InvoiceStatus = .open
  ) throws -> Invoice {
    var invoice = try scene.invoice(id)
    invoice.contact = Party(id: contact)
    invoice.amountDue = try due.map { try #require(ExactDecimal($0)) }
    (invoice.type, invoice.status) = (type, status)
    return invoice
  }

  @Test("sums are the same with and without the index that a first sync stores without")
  func sums() async throws {
    try await scene.withDatabase { database in
      let deleted = try invoice("g", of: "k-000042", "900", status: .deleted)
      try await Self.commit(
        [contact("k-000042", "b"), contact("l-000042", "A"), contact("none", "c")], to: database)
      _ = try await scene.commit(
        [
          try invoice("a", of: "k-000042", "9007199254740993.01"),
          try invoice("b", of: "k-000042", "0.005"),
          try invoice("c", of: "k-000042", "3", type: .creditNote),
          try invoice("d", of: "k-000042", "-1", type: .creditNote, status: .partiallyPaid),
          try invoice("e", of: "k-000042", "8", type: .bill),
          try invoice("f", of: "k-000042", "77", status: .paid),
          // Its total is due, as in every other sum.
          try invoice("h", of: "l-000042", nil), deleted,
          try invoice("p", of: "l-000042", nil, status: .partiallyPaid),
          try invoice("v", of: "l-000042", "5", status: .void),
        ], to: database)
      func texts() async throws -> [String] {
        try await database.contacts(matching: ContactQuery()).map { stored in
          let sums = stored.balances.map { "\($0.currency) \($0.receivable) \($0.payable)" }
          return "\(stored.contact.name ?? "") \(stored.invoiceCount) \(sums)"
        }
      }
      let wanted = [
        "A 2 [\"TND 119.000 0\"]", #"b 6 ["TND 9007199254740989.015 8"]"#, "c 0 []",
      ]
      try await database.updateIndexes()
      let found = try await texts()
      #expect(found == wanted)
      try await database.write { db in try db.execute(sql: "DROP INDEX invoice_by_contact") }
      let unindexed = try await texts()
      #expect(unindexed == wanted)
    }
  }

  @Test("a limit applies before invoices are read, each contact's by an index")
  func plan() async throws {
    try await scene.withDatabase { database in
      try await Self.commit([contact("a", "a"), contact("b", "b")], to: database)
      _ = try await scene.commit([try invoice("a", of: "a", "1")], to: database)
      try await database.updateIndexes()
      var query = ContactQuery()
      (query.account, query.limit) = ("default", 1)
      let plan = try await database.plan { [query] in try query.statement($0) }
      let reads = plan.filter { $0.contains(" invoice ") }
      #expect(reads.count == 1 && reads[0].contains("invoice_by_contact (<expr>=?)"), "\(plan)")
      #expect(try await database.contacts(matching: query).map(\.contact.id) == ["a"])
      #expect(try await database.contactCount(matching: query) == 2)
    }
  }

  @Test("a contact is named by its id, its name or words of it, and deleted ones by id alone")
  func named() async throws {
    try await scene.withDatabase { database in
      var gone = contact("gone", "Ada")
      gone.status = .deleted
      var mail = contact("m", "Żółw")
      mail.email = "info@owls.example"
      try await Self.commit(
        [
          contact("1", "Ada"), contact("2", "Ada Lovelace"), gone, mail,
          contact("g", "Große Bækgård"),
        ], to: database)
      func ids(_ name: String) async throws -> [String] {
        try await database.contacts(named: name, account: "default").map(\.contact.id)
      }
      let wanted = [
        "ADA": ["1"], "ada l": ["2"], "a": ["1", "2"], "gone": ["gone"], "zolw": ["m"],
        "owls": ["m"], "--": [], "lovelace a": ["2"], "da": [],
        "grosse": ["g"], "baekgard gros": ["g"], "GROSSE BÆK": ["g"],
      ]
      for (name, found) in wanted { #expect(try await ids(name) == found, "\(name)") }
    }
  }

  @Test("ageing and groups read an account's invoices alone, by an index")
  func summaries() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try invoice("a", of: "a", "1")], to: database)
      try await database.updateIndexes()
      let today = try #require(CalendarDate("2024-06-01"))
      var query = InvoiceQuery()
      query.account = "default"
      for byContact in [false, true] {
        let ageing = try await database.plan { [query] in
          try #require(try query.ageingStatements(on: today, byContact: byContact, $0).first)
        }
        #expect(ageing.contains { $0.contains("invoice_by_due_date (account=?") }, "\(ageing)")
      }
      for grouping in InvoiceGrouping.allCases {
        let plan = try await database.plan { [query] in try query.totalsStatement(by: grouping, $0)
        }
        let reads = plan.filter { $0.contains(" invoice ") }
        #expect(reads.count == 1 && reads[0].contains("(account=?"), "\(plan)")
      }
      let months = try await database.totals(matching: query, by: .month)
      #expect(months.map(\.group) == [.month(CalendarMonth("2024-02"))])
      let quarters = try await database.totals(matching: query, by: .quarter)
      #expect(quarters.map { "\($0.group)" }.first?.contains("2024-Q1") == true, "\(quarters)")
    }
  }
}
