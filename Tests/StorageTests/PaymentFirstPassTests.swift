import GRDB
import Models
import Testing

@testable import Storage

/// A first pass of payments stores without their indexes, and nothing differs but the time.
@Suite(.timeLimit(.minutes(10))) struct PaymentFirstPassTests {
  private let scene = WholeInvoiceTests()

  private func begin(_ database: LocalDatabase) async throws -> RunStore<Payment> {
    try await database.paymentStore().beginRun(
      RunStart(
        account: "default", provider: "p", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 1), watermarkBefore: nil))
  }

  private func page(
    _ ids: [String], amount: String = "9", in database: LocalDatabase
  ) throws -> PendingPage {
    var page = PendingPage(source: "s", instant: Timestamp(microsecondsSinceEpoch: 1))
    page.records = database.paymentStore().encode(
      try ids.map { id in
        var payment = Payment(
          id: id, type: .receipt, status: .completed, rawStatus: "",
          currency: try #require(Currency(code: "TND")),
          amount: try #require(ExactDecimal(amount)))
        payment.allocations = [Allocation(invoiceID: "a", amount: payment.amount)]
        return payment
      })
    return page
  }

  private func missing(_ database: LocalDatabase) async throws -> [String] {
    try await database.read { try RecordIndexes(db: $0).missing().map(\.name) }
  }

  private func listed(_ database: LocalDatabase) async throws -> [String] {
    var query = PaymentQuery()
    (query.sort, query.isAscending) = (.stored, true)
    return try await database.payments(matching: query)
      .map { "\($0.payment.id) \($0.payment.amount)" }.sorted()
  }

  @Test("lists, balances and sums are the same before the indexes are created and after")
  func sameAnswers() async throws {
    try await scene.withDatabase { database in
      var invoice = try scene.invoice()
      (invoice.type, invoice.status) = (.invoice, .paid)
      _ = try await scene.commit([invoice], to: database)
      try await database.updateIndexes()
      #expect(try await missing(database).isEmpty)
      let run = try await begin(database)
      // The invoice holds the payment "p" too, and another one without an identifier.
      _ = try await run.commit([try page(["p", "q"], in: database)])
      #expect(
        try await missing(database) == Schema.paymentIndexes.map(\.name))
      let before = try await listed(database)
      let balance = try await database.invoice("a", account: nil)?.balance
      #expect(before == ["a/2 1", "p 9", "q 9"])
      #expect(balance?.entries.compactMap(\.id).sorted() == ["p", "q"])
      try await database.updateIndexes()
      #expect(try await missing(database).isEmpty)
      #expect(try await listed(database) == before)
      #expect(try await database.invoice("a", account: nil)?.balance == balance)
    }
  }

  @Test("a payment that is listed again is updated, and a later run finds those of a first one")
  func listedAgain() async throws {
    try await scene.withDatabase { database in
      let run = try await begin(database)
      _ = try await run.commit([try page(["p", "q"], in: database)])
      let again = try await run.commit([try page(["r", "p"], amount: "8", in: database)])
      #expect(again.first?.counts.inserted == 1 && again.first?.counts.updated == 1)
      // As after a kill: the table is not empty, so that its indexes stay.
      let next = try await begin(database)
      let changes = try await next.commit([try page(["q", "s"], amount: "7", in: database)])
      #expect(changes.first?.counts.inserted == 1 && changes.first?.counts.updated == 1)
      #expect(try await listed(database) == ["p 8", "q 7", "r 8", "s 7"])
    }
  }

  @Test("the list of payments is read once, not once for each payment of an invoice")
  func plan() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try scene.invoice()], to: database)
      let run = try await begin(database)
      _ = try await run.commit([try page(["p"], in: database)])
      for isIndexed in [false, true] {
        if isIndexed { try await database.updateIndexes() }
        let plan = try await database.plan { _ in PaymentQuery().statement() }
        #expect(!plan.contains { $0.contains("CORRELATED") && $0.contains("payment") }, "\(plan)")
        #expect(
          plan.contains { $0.contains("payment_by_id FOR IN-OPERATOR") } == isIndexed, "\(plan)")
      }
    }
  }
}
