import Models
import TestSupport
import Testing

@testable import Storage

/// A database for tests of payments and of what they pay.
struct PaymentFixture {
  let folder: TemporaryDirectory
  let database: LocalDatabase

  init() async throws {
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
  }

  static func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  /// - Parameter paid: the documents that it pays, each with the amount.
  func payment(
    _ id: String, _ amount: String = "10.00", _ currency: String = "EUR",
    type: PaymentType = .receipt, status: PaymentStatus = .completed, on day: String? = nil,
    pays paid: KeyValuePairs<String, String> = [:]
  ) throws -> Payment {
    var payment = Payment(
      id: id, type: type, status: status, rawStatus: status.rawValue,
      currency: try #require(Currency(code: currency)), amount: try Self.decimal(amount))
    payment.date = day.flatMap { CalendarDate($0) }
    payment.allocations = try paid.map {
      Allocation(invoiceID: $0.key, amount: try Self.decimal($0.value))
    }
    return payment
  }

  /// - Parameter credits: the documents that it is set against, each with the amount.
  func invoice(
    _ id: String, _ total: String = "100.00", due: String? = "0", type: InvoiceType = .invoice,
    status: InvoiceStatus = .open, credits: KeyValuePairs<String, String> = [:]
  ) throws -> Invoice {
    var invoice = Invoice(
      id: id, number: "N-" + id, type: type, status: status, rawStatus: status.rawValue,
      currency: try #require(Currency(code: "EUR")), issueDate: CalendarDate("2024-02-01"),
      total: try Self.decimal(total), amountDue: try due.map(Self.decimal))
    invoice.allocations = try credits.map {
      Allocation(invoiceID: $0.key, amount: try Self.decimal($0.value))
    }
    return invoice
  }

  /// Stores the records of a list, as one page of a run.
  func store<Record>(
    _ records: [Record], in store: ResourceStore<Record>, account: String = "default",
    at second: Int64 = 1
  ) async throws {
    _ = try await begin(store, account: account).commit([page(records, store, at: second)])
  }

  func begin<Record>(
    _ store: ResourceStore<Record>, account: String = "default"
  ) async throws -> RunStore<Record> {
    try await store.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 1), watermarkBefore: nil))
  }

  func page<Record>(
    _ records: [Record], _ store: ResourceStore<Record>, at second: Int64 = 1
  ) -> PendingPage {
    var page = PendingPage(
      source: "s", instant: Timestamp(microsecondsSinceEpoch: second * 1_000_000))
    page.records = store.encode(records)
    return page
  }

  /// The identifiers of the payments that a query finds, the smallest first.
  func ids(_ adjust: (inout PaymentQuery) -> Void = { _ in }) async throws -> [String] {
    var query = PaymentQuery()
    (query.sort, query.isAscending) = (.stored, true)
    adjust(&query)
    let found = try await database.payments(matching: query).map(\.payment.id)
    #expect(try await database.paymentCount(matching: query) >= found.count)
    return found
  }

  /// Returns the parts of an amount due, each as `kind number day amount`.
  func balance(of id: String, account: String = "default") async throws -> [String] {
    let balance = try #require(
      try await database.invoices(named: id, account: account).first?.balance)
    let rest = balance.unexplained.isZero ? [] : ["unexplained \(balance.unexplained)"]
    return balance.entries.map { entry in
      let parts = [entry.kind.rawValue, entry.number, entry.date?.description]
      return (parts.compactMap(\.self) + [entry.amount.description]).joined(separator: " ")
    } + rest
  }
}
