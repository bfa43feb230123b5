import Models
import TestSupport
import Testing

@testable import Storage

/// Payments that a query selects and orders.
@Suite(.timeLimit(.minutes(10))) struct PaymentQueryTests {
  /// Five payments of two accounts, one void, one deleted.
  private func fixture() async throws -> PaymentFixture {
    let fixture = try await PaymentFixture()
    var cheque = try fixture.payment("a", "10.00", on: "2024-01-01", pays: ["i-1": "10.00"])
    (cheque.reference, cheque.contactID) = ("cheque 7", "c-1")
    var card = try fixture.payment(
      "b", "9.50", type: .payment, on: "2024-02-01", pays: ["i-2": "4", "i-3": "5"])
    (card.method, card.contactName) = ("Card", "Żółw & Co")
    card.unallocatedAmount = try PaymentFixture.decimal("0.50")
    var void = try fixture.payment("c", "3", "USD", status: .void, on: "2024-03-01")
    void.unallocatedAmount = .zero
    var contact = Contact(id: "c-1", status: .active, rawStatus: "A")
    contact.name = "Ada Ltd"
    let database = fixture.database
    try await fixture.store(
      [cheque, card, void, try fixture.payment("d", status: .deleted)],
      in: database.paymentStore())
    try await fixture.store([contact], in: database.contactStore)
    try await fixture.store(
      [try fixture.invoice("i-1"), try fixture.invoice("i-2")], in: database.invoiceStore)
    try await fixture.store(
      [try fixture.payment("z", "100", on: "2024-01-15", pays: ["i-1": "100"])],
      in: database.paymentStore(), account: "other", at: 9)
    return fixture
  }

  @Test("a query keeps the payments that meet every condition, and neither void nor deleted ones")
  func filters() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.ids() == ["a", "b", "z"])
    #expect(try await fixture.ids { $0.includesVoidAndDeleted = true }.count == 5)
    let conditions: [(String, [String], (inout PaymentQuery) -> Void)] = [
      ("account", ["a", "b"], { $0.account = "default" }),
      ("accounts", [], { $0.accounts = ["none"] }),
      ("type", ["b"], { $0.types = [.payment, .refund] }),
      ("status", ["c"], { $0.statuses = [.void] }),
      ("deleted", ["d"], { $0.statuses = [.deleted] }),
      ("currency", [], { $0.currencies = Currency(code: "USD").map { [$0] } }),
      ("from", ["b", "z"], { $0.from = CalendarDate("2024-01-15") }),
      ("through", ["a", "z"], { $0.through = CalendarDate("2024-01-15") }),
      ("contact's id", ["a"], { $0.contact = "c-1" }),
      ("synced contact", ["a"], { $0.contact = "ADA l" }),
      ("own contact", ["b"], { $0.contact = "zolw" }),
      ("invoice's id", ["a", "z"], { $0.invoice = "i-1" }),
      ("invoice's number", ["b"], { $0.invoice = "N-i-2" }),
      ("unknown invoice", ["b"], { $0.invoice = "i-3" }),
      ("reference", ["a"], { $0.search = "7 che" }),
      ("method", ["b"], { $0.search = "card" }),
      ("invoice's number in words", ["a"], { $0.search = "n-i-1" }),
      ("contact in words", ["a"], { $0.search = "ada" }),
      (
        "changed", ["z"],
        { $0.changedSince = Timestamp(microsecondsSinceEpoch: 5_000_000) }
      ),
      ("unallocated", ["b"], { $0.isUnallocated = true }),
      (
        "several", ["a"],
        {
          $0.account = "default"
          $0.invoice = "i-1"
          $0.types = [.receipt]
        }
      ),
    ]
    for (name, wanted, condition) in conditions {
      #expect(try await fixture.ids(condition) == wanted, "\(name)")
    }
    try await fixture.database.close()
  }

  @Test("payments are sorted by each key in both directions, and read in part")
  func sorting() async throws {
    let fixture = try await fixture()
    let orders: [PaymentQuery.Sort: [String]] = [
      .date: ["a", "z", "b"], .amount: ["b", "a", "z"], .updatedAt: ["a", "b", "z"],
      .contact: ["z", "a", "b"], .stored: ["a", "b", "z"],
    ]
    #expect(orders.count == PaymentQuery.Sort.allCases.count)
    for (sort, wanted) in orders {
      #expect(try await fixture.ids { $0.sort = sort } == wanted, "\(sort)")
      let reversed = try await fixture.ids { ($0.sort, $0.isAscending) = (sort, false) }
      #expect(reversed == wanted.reversed(), "\(sort)")
    }
    #expect(try await fixture.ids { ($0.limit, $0.offset) = (1, 1) } == ["b"])
    #expect(try await fixture.ids { $0.offset = 2 } == ["z"])
    try await fixture.database.close()
  }

  @Test("a payment that an invoice holds is one of the payments, unless a list has it too")
  func ofInvoices() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    var invoice = try fixture.invoice("i")
    invoice.payments = [
      InvoicePayment(id: "p", date: CalendarDate("2024-03-01"), amount: ExactDecimal(9)),
      InvoicePayment(amount: ExactDecimal(-1)),
    ]
    try await fixture.store([invoice], in: database.invoiceStore)
    #expect(Set(try await fixture.ids()) == ["p", "i/2"])
    let found = try await database.payments(named: "p", account: nil).first?.payment
    #expect(found?.allocations.map(\.invoiceID) == ["i"] && found?.amount == ExactDecimal(9))
    #expect(try await fixture.ids { $0.types = [.refund] } == ["i/2"])
    #expect(Set(try await fixture.ids { $0.invoice = "N-i" }) == ["p", "i/2"])
    try await fixture.store(
      [try fixture.payment("p", "9", pays: ["i": "9"])], in: database.paymentStore())
    #expect(Set(try await fixture.ids()) == ["p", "i/2"])
    try await database.close()
  }

  @Test("a payment is named by its id, else its reference, else the beginning of its id")
  func named() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    var first = try fixture.payment("0123456789-a")
    first.reference = "b"
    var second = try fixture.payment("b")
    second.reference = "Cheque"
    var gone = try fixture.payment("c", status: .deleted)
    gone.reference = "cheque"
    try await fixture.store([first, second, gone], in: database.paymentStore())
    try await fixture.store([second], in: database.paymentStore(), account: "other")
    func ids(_ text: String, _ account: String? = "default") async throws -> [String] {
      try await database.payments(named: text, account: account).map(\.payment.id)
    }
    #expect(try await ids("b") == ["b"])
    #expect(try await ids("b", nil) == ["b", "b"])
    #expect(try await ids("CHEQUE") == ["b"])
    #expect(try await ids("c") == ["c"])
    #expect(try await ids("01234567") == ["0123456789-a"])
    #expect(try await ids("0123456") == [])
    #expect(try await ids("none") == [])
    try await database.close()
  }

  // Edge case 68
  @Test("a sweep of a list deletes what that list lacks, and no payment of another list")
  func sweep() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    let lists: [Resource] = [.payments, .prepayments, .overpayments]
    for (number, list) in lists.enumerated() {
      try await fixture.store(
        [try fixture.payment("\(number)a"), try fixture.payment("\(number)b")],
        in: database.paymentStore(of: list))
    }
    for (number, list) in lists.enumerated() {
      let store = database.paymentStore(of: list)
      let run = try await fixture.begin(store)
      try await run.beginSweep(source: "s", checkpoint: [])
      var page = fixture.page([try fixture.payment("\(number)a")], store)
      page.isSweep = true
      _ = try await run.commit([page])
      var end = PassCompletion(
        instant: Timestamp(microsecondsSinceEpoch: 5), maximumDeletedPercent: 100)
      end.deletesUnseen = true
      let outcome = try await run.endPass(end)
      #expect(outcome.deleted == 1 && outcome.of == 2, "\(list)")
      let others = lists.indices.dropFirst(number + 1).flatMap { ["\($0)a", "\($0)b"] }
      let swept = lists.indices.prefix(number + 1).map { "\($0)a" }
      #expect(try await Set(fixture.ids()) == Set(swept + others), "\(list)")
    }
    #expect(try await fixture.ids { $0.statuses = [.deleted] } == ["0b", "1b", "2b"])
    try await database.close()
  }
}
