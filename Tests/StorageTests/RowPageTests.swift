import GRDB
import Models
import Testing

@testable import Storage

/// Lists of payments and contacts that are read page by page, each page after the position where
/// the one before it ends.
@Suite(.timeLimit(.minutes(10))) struct RowPageTests {
  private let scene = WholeInvoiceTests()

  private static let paymentOrders = PaymentQuery.Sort.allCases.flatMap { sort in
    [true, false].map { (sort, $0) }
  }
  private static let contactOrders = ContactQuery.Sort.allCases.flatMap { sort in
    [true, false].map { (sort, $0) }
  }
  private static let days = [CalendarDate("2024-01-01"), CalendarDate("2024-01-02"), nil]
  private static let instants = [Timestamp(microsecondsSinceEpoch: 1), nil]
  private static let amounts = ["10", "9.99", "10.00", "0.5"].compactMap { ExactDecimal($0) }
  private static let names = ["Ada", "ada", "Bo", nil]

  /// Returns a payment with ties and absent values in every order.
  private func payment(_ id: String, _ random: inout SeededNumbers) throws -> Payment {
    var payment = Payment(
      id: id, type: .receipt, status: .completed, rawStatus: "",
      currency: try #require(
        Currency(code: ["EUR", "USD"].randomElement(using: &random) ?? "EUR")),
      amount: try #require(Self.amounts.randomElement(using: &random)))
    payment.date = Self.days.randomElement(using: &random) ?? nil
    payment.updatedAt = Self.instants.randomElement(using: &random) ?? nil
    payment.contactName = Self.names.randomElement(using: &random) ?? nil
    payment.contactID = ["c1", nil].randomElement(using: &random) ?? nil
    payment.allocations = [Allocation(invoiceID: "i", amount: payment.amount)]
    return payment
  }

  /// Returns an invoice with two payments of its own.
  private func invoice(_ id: String, _ random: inout SeededNumbers) throws -> Invoice {
    var invoice = try scene.invoice(id)
    (invoice.type, invoice.status) = (.invoice, .paid)
    invoice.payments = try ["\(id)-p", nil].map { id in
      InvoicePayment(
        id: id, date: Self.days.randomElement(using: &random) ?? nil,
        amount: try #require(Self.amounts.randomElement(using: &random)))
    }
    return invoice
  }

  private func contact(_ id: String, _ random: inout SeededNumbers) -> Contact {
    var contact = Contact(id: id, status: .active, rawStatus: "ACTIVE")
    contact.name = Self.names.randomElement(using: &random) ?? nil
    contact.updatedAt = Self.instants.randomElement(using: &random) ?? nil
    return contact
  }

  static func commit<Record>(
    _ records: [Record], to store: ResourceStore<Record>, account: String = "default"
  ) async throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    page.records = store.encode(records)
    _ = try await run.commit([page])
  }

  @Test(
    "each payment that does not change comes exactly once, and in order, whatever others do",
    arguments: paymentOrders)
  func payments(sort: PaymentQuery.Sort, isAscending: Bool) async throws {
    try await scene.withDatabase { database in
      var random = SeededNumbers(seed: 37)
      var named = Contact(id: "c1", status: .active, rawStatus: "ACTIVE")
      named.name = "Cy"
      try await Self.commit([named], to: database.contactStore)
      let listed = try (0..<30).map { try payment("stable\($0)", &random) }
      let others = try (0..<20).map { try payment("other\($0)", &random) }
      try await Self.commit(
        (listed + others).shuffled(using: &random), to: database.paymentStore())
      let invoices = try (0..<10).map { try invoice("stable-i\($0)", &random) }
      try await Self.commit(invoices, to: database.invoiceStore)
      for account in ["default", nil] {
        var query = PaymentQuery()
        (query.sort, query.isAscending, query.account) = (sort, isAscending, account)
        var found: [String] = []
        repeat {
          query.limit = Int.random(in: 1...12, using: &random)
          let page = try await database.paymentPage(matching: query)
          found += page.payments.map(\.payment.id).filter { $0.hasPrefix("stable") }
          query.after = page.next
          #expect(page.next.flatMap { RowPosition("\($0)") } == page.next)
          let changed = try (0..<4).map { _ in
            try payment("other\(Int.random(in: 0..<40, using: &random))", &random)
          }
          try await Self.commit(changed, to: database.paymentStore())
        } while query.after != nil
        (query.limit, query.after) = (nil, nil)
        let list = try await database.payments(matching: query).map(\.payment.id)
        #expect(found == list.filter { $0.hasPrefix("stable") })
        #expect(found.count == 50)
      }
    }
  }

  @Test(
    "each contact that does not change comes exactly once, and in order, whatever others do",
    arguments: contactOrders)
  func contacts(sort: ContactQuery.Sort, isAscending: Bool) async throws {
    try await scene.withDatabase { database in
      var random = SeededNumbers(seed: 38)
      let stable = (0..<40).map { contact("stable\($0)", &random) }
      let others = (0..<20).map { contact("other\($0)", &random) }
      try await Self.commit(
        (stable + others).shuffled(using: &random), to: database.contactStore)
      let invoices = try (0..<60).map { index in
        var invoice = try invoice("i\(index)", &random)
        invoice.status = .open
        invoice.contact.id = "\(index % 3 == 0 ? "other" : "stable")\(index % 30)"
        invoice.currency = try #require(Currency(code: index % 2 == 0 ? "EUR" : "USD"))
        invoice.amountDue = Self.amounts.randomElement(using: &random)
        return invoice
      }
      try await Self.commit(invoices, to: database.invoiceStore)
      for isOwing in [false, true] {
        var query = ContactQuery()
        (query.sort, query.isAscending, query.isOwing) = (sort, isAscending, isOwing)
        var found: [String] = []
        repeat {
          query.limit = Int.random(in: 1...12, using: &random)
          let page = try await database.contactPage(matching: query)
          found += page.contacts.map(\.contact.id).filter { $0.hasPrefix("stable") }
          query.after = page.next
          #expect(page.next.flatMap { RowPosition("\($0)") } == page.next)
          let changed = (0..<4).map { _ in
            contact("other\(Int.random(in: 0..<40, using: &random))", &random)
          }
          try await Self.commit(changed, to: database.contactStore)
        } while query.after != nil
        (query.limit, query.after) = (nil, nil)
        let list = try await database.contacts(matching: query).map(\.contact.id)
        #expect(found == list.filter { $0.hasPrefix("stable") })
        #expect(isOwing ? found.count < 40 && !found.isEmpty : found.count == 40)
      }
    }
  }

  @Test("a position is one of its own list and order only")
  func otherOrder() async throws {
    try await scene.withDatabase { database in
      var random = SeededNumbers(seed: 39)
      try await Self.commit(
        [try payment("a", &random), try payment("b", &random)], to: database.paymentStore())
      try await Self.commit(
        [contact("a", &random), contact("b", &random)], to: database.contactStore)
      var query = PaymentQuery()
      (query.limit, query.sort) = (1, .updatedAt)
      query.after = try await database.paymentPage(matching: query).next
      #expect(try await database.payments(matching: query).count == 1)
      var contacts = ContactQuery()
      (contacts.sort, contacts.isAscending, contacts.after) = (.updatedAt, false, query.after)
      #expect(try await database.contacts(matching: contacts).isEmpty)
      query.isAscending = true
      #expect(try await database.payments(matching: query).isEmpty)
      query.after = nil
      query.limit = 3
      #expect(try await database.paymentPage(matching: query).next == nil)
    }
  }
}
