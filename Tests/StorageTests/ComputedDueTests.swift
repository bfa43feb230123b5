import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Amounts due that the provider does not state.
@Suite(.timeLimit(.minutes(10))) struct ComputedDueTests {
  private static let instant = Timestamp(microsecondsSinceEpoch: 9_000_000)

  private func compute(_ fixture: PaymentFixture) async throws {
    try await fixture.database.updateIndexes()
    try await fixture.database.computeDues(account: "default", at: Self.instant)
  }

  /// Returns the amounts of an invoice, as `paid credited due`.
  private func amounts(_ fixture: PaymentFixture, of id: String) async throws -> String {
    let invoice = try #require(try await fixture.database.invoice(id, account: "default")).invoice
    return [invoice.amountPaid, invoice.amountCredited, invoice.amountDue]
      .map { $0?.description ?? "-" }.joined(separator: " ")
  }

  /// Returns a database with an invoice of 100, of which a payment of another list pays 60.
  private func partlyPaid() async throws -> PaymentFixture {
    let fixture = try await PaymentFixture()
    try await fixture.store([try fixture.invoice("a", due: nil)], in: fixture.database.invoiceStore)
    try await fixture.store(
      [try fixture.payment("p", pays: ["a": "60"])], in: fixture.database.paymentStore())
    return fixture
  }

  // Edge case 67
  @Test("an amount due that is not stated is what the payments and credits of all lists leave")
  func otherLists() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    var own = try fixture.invoice("own", due: nil, status: .partiallyPaid)
    own.payments = [
      InvoicePayment(id: "p", amount: try PaymentFixture.decimal("20")),
      InvoicePayment(id: "q", amount: try PaymentFixture.decimal("5")),
    ]
    var paid = try fixture.invoice("paid", due: nil, status: .partiallyPaid)
    paid.amountPaid = try PaymentFixture.decimal("7")
    try await fixture.store(
      [
        try fixture.invoice("i", due: nil), own,
        try fixture.invoice("b", "50", due: nil, type: .bill, status: .partiallyPaid),
        try fixture.invoice("unknown", due: nil, status: .partiallyPaid),
        try fixture.invoice("free", due: nil), try fixture.invoice("stated", due: "70"), paid,
        try fixture.invoice("draft", due: nil, status: .draft),
        try fixture.invoice("n", "-40", due: nil, type: .creditNote, credits: ["i": "30"]),
        try fixture.invoice("m", "9", due: nil, type: .creditNote, credits: ["own": "4"]),
      ], in: database.invoiceStore)
    try await fixture.store(
      [
        try fixture.payment("p", pays: ["own": "20"]),
        try fixture.payment(
          "o", pays: ["i": "10.5", "b": "12", "stated": "3", "paid": "3", "draft": "1"]),
        try fixture.payment("r", type: .refund, pays: ["n": "6", "i": "0.5"]),
      ], in: database.paymentStore())
    try await compute(fixture)
    #expect(try await amounts(fixture, of: "i") == "10.0 30 60.00")
    #expect(try await amounts(fixture, of: "own") == "25 4 71.00")
    #expect(try await amounts(fixture, of: "b") == "12 0 38")
    #expect(try await amounts(fixture, of: "n") == "-6 -30 -4")
    #expect(try await amounts(fixture, of: "m") == "0 4 5")
    for id in ["unknown", "free", "draft"] {
      #expect(try await amounts(fixture, of: id) == "- - -", "\(id)")
    }
    #expect(try await amounts(fixture, of: "stated") == "- - 70")
    #expect(try await amounts(fixture, of: "paid") == "7 - -")
    for id in ["i", "own", "b", "n", "m"] {
      let found = try await database.invoices(named: id, account: nil)
      let balance = try #require(found.first?.balance)
      #expect(balance.unexplained.isZero && balance.due == found.first?.invoice.amountDue)
      #expect(!balance.entries.contains { $0.kind == .returned }, "\(id)")
      #expect(found.first?.invoice.arithmeticFindings == [], "\(id)")
    }
    let totals = try await database.invoiceTotals(account: nil)
    let open = totals.filter { $0.status == .open && $0.type == .invoice }
    #expect(open.map(\.amountDue.description) == ["130.00"])
    try await database.close()
  }

  @Test("after a first sync whose last list was refused, nothing is left to compute")
  func refusedLastList() async throws {
    let fixture = try await partlyPaid()
    let database = fixture.database
    let build = SearchBuild(database.path, database.pool, least: 1)
    database.searchBuild.value = build
    build.stored(1)
    // As the lists before it do.
    try await database.updateIndexes(leavesWords: true)
    try await database.computeDues(account: "default", at: Self.instant)
    #expect(try await amounts(fixture, of: "a") == "- - -")
    try await database.completeLists(of: "default", at: Self.instant)
    #expect(try await amounts(fixture, of: "a") == "60 0 40.00")
    #expect(database.searchBuild.value == nil)
    try await database.close()
  }

  @Test("what both documents state of a credit counts once")
  func bothSides() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    func note(_ id: String, credits: KeyValuePairs<String, String> = [:]) throws -> Invoice {
      try fixture.invoice(id, "40", due: nil, type: .creditNote, credits: credits)
    }
    try await fixture.store(
      [
        try fixture.invoice("i", due: nil, credits: ["n": "30"]),
        try note("n", credits: ["i": "30"]),
        try fixture.invoice("j", due: nil, credits: ["m": "10"]),
        try fixture.invoice("k", due: nil), try note("o", credits: ["k": "5"]),
        try fixture.invoice("void", due: nil, status: .void, credits: ["o": "7"]),
      ], in: database.invoiceStore)
    try await compute(fixture)
    #expect(try await amounts(fixture, of: "i") == "0 30 70.00")
    #expect(try await amounts(fixture, of: "n") == "0 30 10")
    #expect(try await amounts(fixture, of: "j") == "0 10 90.00")
    #expect(try await amounts(fixture, of: "k") == "0 5 95.00")
    #expect(try await amounts(fixture, of: "o") == "0 5 35")
    try await database.close()
  }

  @Test("the list says what became of a payment that an invoice has too")
  func failedPayments() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    var invoice = try fixture.invoice("i", due: nil)
    invoice.payments = try ["failed", "deleted", "done", "own"].map {
      InvoicePayment(id: $0, amount: try PaymentFixture.decimal("10"))
    }
    var note = try fixture.invoice("n", "-40", due: nil, type: .creditNote)
    note.payments = [InvoicePayment(amount: try PaymentFixture.decimal("6"))]
    var other = try fixture.invoice("m", "40", due: nil, type: .creditNote)
    other.payments = [InvoicePayment(amount: try PaymentFixture.decimal("-6"))]
    try await fixture.store([invoice, note, other], in: database.invoiceStore)
    try await fixture.store(
      [
        try fixture.payment("failed", status: .failed, pays: ["i": "10"]),
        try fixture.payment("deleted", status: .deleted, pays: ["i": "10"]),
        try fixture.payment("done", pays: ["i": "10"]),
      ], in: database.paymentStore())
    try await compute(fixture)
    #expect(try await amounts(fixture, of: "i") == "20 0 80.00")
    #expect(try await amounts(fixture, of: "n") == "-6 0 -34")
    #expect(try await amounts(fixture, of: "m") == "6 0 34")
    try await database.close()
  }

  @Test("sums, orders and views take the computed amount, and follow what settles it")
  func sums() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [try fixture.invoice("a", due: nil), try fixture.invoice("b", "90", due: nil)],
      in: database.invoiceStore)
    try await fixture.store(
      [try fixture.payment("p", pays: ["a": "60"])], in: database.paymentStore())
    try await compute(fixture)
    var query = InvoiceQuery()
    query.sort = .amountDue
    func order() async throws -> [String] {
      try await database.invoices(matching: query).map(\.invoice.id)
    }
    func due() async throws -> String? {
      try await database.totals(matching: InvoiceQuery(), by: .currency).first?.amountDue
        .description
    }
    #expect(try await order() == ["b", "a"])
    #expect(try await due() == "130.00")
    let viewed = try await database.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT amount_due || ' ' || amount_due_number FROM invoices WHERE id = 'a'")
    }
    #expect(viewed == ["40.00 40.0"])
    // The payment goes.
    var gone = fixture.page([Payment](), database.paymentStore(), at: 2)
    gone.removals = [Removal(id: "p", reason: "status DELETED")]
    _ = try await fixture.begin(database.paymentStore()).commit([gone])
    try await compute(fixture)
    #expect(try await order() == ["a", "b"])
    #expect(try await amounts(fixture, of: "a") == "- - -")
    try await database.close()
  }

  @Test("a stated amount, and a status that asks for no money, take the place of a computed one")
  func replaced() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [try fixture.invoice("a", due: nil), try fixture.invoice("b", due: nil)],
      in: database.invoiceStore)
    try await fixture.store(
      [try fixture.payment("p", pays: ["a": "60", "b": "60"])], in: database.paymentStore())
    try await compute(fixture)
    #expect(try await amounts(fixture, of: "a") == "60 0 40.00")
    try await fixture.store(
      [try fixture.invoice("a", due: "39"), try fixture.invoice("b", due: nil, status: .void)],
      in: database.invoiceStore, at: 2)
    for id in ["a", "b"] {
      #expect(try await amounts(fixture, of: id) == (id == "a" ? "- - 39" : "- - -"))
    }
    try await database.close()
  }

  @Test("an invoice that has changed shows no amount of before, until it is computed again")
  func changedInvoice() async throws {
    let fixture = try await partlyPaid()
    let database = fixture.database
    try await compute(fixture)
    try await fixture.store(
      [try fixture.invoice("a", "500", due: nil)], in: database.invoiceStore, at: 2)
    #expect(try await amounts(fixture, of: "a") == "- - -")
    try await compute(fixture)
    #expect(try await amounts(fixture, of: "a") == "60 0 440")
    try await database.close()
  }

  @Test("the report takes the computed amounts, and an index finds the invoices without any")
  func report() async throws {
    let fixture = try await partlyPaid()
    let database = fixture.database
    try await compute(fixture)
    let day = try #require(CalendarDate("2024-03-01"))
    let report = try await database.invoiceReport(InvoiceReportQuery(day: day))
    #expect(report.sections.map(\.paid.description) == ["60"])
    #expect(report.sections.first?.unpaid.map { $0.due?.description } == ["40.00"])
    let plan = try await database.read { db in
      try String.fetchAll(
        db,
        sql: "EXPLAIN QUERY PLAN SELECT row FROM \(Schema.withoutDue)", arguments: [1],
        adapter: RangeRowAdapter(3..<4))
    }
    #expect(plan.contains { $0.contains("invoice_without_due") }, "\(plan)")
    try await database.close()
  }

  @Test("a computed amount is a change of the invoice, once")
  func changes() async throws {
    let fixture = try await partlyPaid()
    let database = fixture.database
    let counter = { try await database.read { try ChangeCounter(db: $0).last() } }
    try await database.updateIndexes()
    let before = try await counter()
    for _ in 1...2 {
      try await compute(fixture)
      #expect(try await counter() == before + 1)
    }
    var query = InvoiceQuery()
    query.changedSince = Self.instant
    #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
    try await database.close()
  }

  @Test("nothing is computed while a first sync stores payments without their indexes")
  func firstPass() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store([try fixture.invoice("a", due: nil)], in: database.invoiceStore)
    try await database.updateIndexes()
    try await fixture.store(
      [try fixture.payment("p", pays: ["a": "60"])], in: database.paymentStore())
    try await database.computeDues(account: "default", at: Self.instant)
    #expect(try await amounts(fixture, of: "a") == "- - -")
    try await compute(fixture)
    #expect(try await amounts(fixture, of: "a") == "60 0 40.00")
    try await database.close()
  }
}
