import GRDB
import Models
import Testing

@testable import Storage

/// A list that is read page by page, each page after the position where the one before it ends.
@Suite(.timeLimit(.minutes(10))) struct InvoicePageTests {
  private let scene = WholeInvoiceTests()

  private static let orders = InvoiceQuery.Sort.allCases.flatMap { sort in
    [true, false].map { (sort, $0) }
  }

  /// Returns an invoice with ties and absent values in every order.
  private func invoice(
    _ id: String, _ random: inout SeededNumbers, isLive: Bool = false
  ) throws -> Invoice {
    var invoice = try scene.invoice(id)
    invoice.number = ["N1", "N2", "N3", nil].randomElement(using: &random) ?? nil
    invoice.contact.id = ["c1", "c2", "c3", nil].randomElement(using: &random) ?? nil
    invoice.contact.name = ["Ada", "Bo", nil, nil].randomElement(using: &random) ?? nil
    let statuses: [InvoiceStatus] = [.paid, .open, .draft, .partiallyPaid]
    invoice.status =
      (isLive ? statuses : statuses + [.void, .deleted]).randomElement(using: &random) ?? .paid
    let days = [CalendarDate("2024-01-01"), CalendarDate("2024-01-02"), nil]
    invoice.issueDate = days.randomElement(using: &random) ?? nil
    invoice.dueDate = days.randomElement(using: &random) ?? nil
    invoice.updatedAt =
      [Timestamp(microsecondsSinceEpoch: 1), nil].randomElement(using: &random)
      ?? nil
    invoice.currency = try #require(
      Currency(code: ["EUR", "USD"].randomElement(using: &random) ?? "EUR"))
    let amounts = ["-1.5", "10", "9.99", "10.00"].map { ExactDecimal($0) }
    invoice.total = try #require(amounts.randomElement(using: &random) ?? nil)
    invoice.amountDue = (amounts + [nil]).randomElement(using: &random) ?? nil
    return invoice
  }

  private func fill(
    _ database: LocalDatabase, _ random: inout SeededNumbers
  ) async throws {
    var named = Contact(id: "c1", status: .active, rawStatus: "ACTIVE")
    named.name = "Cy"
    let nameless = Contact(id: "c2", status: .active, rawStatus: "ACTIVE")
    let run = try await database.contactStore.beginRun(
      RunStart(
        account: "default", provider: "p", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 1), watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: Timestamp(microsecondsSinceEpoch: 1))
    page.records = database.contactStore.encode([named, nameless])
    _ = try await run.commit([page])
    for account in ["default", "other"] {
      let stable = try (0..<30).map { try invoice("stable\($0)", &random, isLive: true) }
      let others = try (0..<30).map { try invoice("other\($0)", &random) }
      _ = try await scene.commit(
        (stable + others).shuffled(using: &random), to: database, account: account)
    }
  }

  /// Stores, changes and deletes invoices of which no place in a list is promised.
  private func change(
    _ database: LocalDatabase, _ random: inout SeededNumbers
  ) async throws {
    let changed = try (0..<6).map { _ in
      try invoice("other\(Int.random(in: 0..<60, using: &random))", &random)
    }
    _ = try await scene.commit(
      changed, to: database, account: Bool.random(using: &random) ? "default" : "other")
  }

  @Test(
    "each invoice that does not change comes exactly once, and in order, whatever others do",
    arguments: orders)
  func changes(sort: InvoiceQuery.Sort, isAscending: Bool) async throws {
    try await scene.withDatabase { database in
      var random = SeededNumbers(seed: 36)
      try await fill(database, &random)
      for (account, all, search, isIndexed) in [
        ("default", false, nil, true), (nil, true, nil, true), (nil, false, "paint", true),
        (nil, false, nil, false), ("other", true, "paint", false),
      ] as [(String?, Bool, String?, Bool)] {
        if isIndexed {
          try await database.updateIndexes()
        } else {
          try await database.write { db in
            for index in Schema.invoiceIndexes where index.name != "invoice_by_id" {
              try db.execute(sql: "DROP INDEX IF EXISTS \(index.name)")
            }
          }
        }
        var query = InvoiceQuery()
        (query.sort, query.isAscending, query.account) = (sort, isAscending, account)
        (query.includesVoidAndDeleted, query.search) = (all, search)
        var found: [String] = []
        repeat {
          query.limit = Int.random(in: 1...12, using: &random)
          let page = try await database.invoicePage(matching: query)
          found += Self.stable(page.invoices)
          query.after = page.next
          // As a program does that gets it from a web page.
          #expect(page.next.flatMap { RowPosition("\($0)") } == page.next)
          try await change(database, &random)
        } while query.after != nil
        (query.limit, query.after) = (nil, nil)
        let list = Self.stable(try await database.invoices(matching: query))
        #expect(found == list, "\(account ?? "all") \(all) \(search ?? "") \(isIndexed)")
        #expect(list.count == (account == nil ? 60 : 30))
      }
    }
  }

  private static func stable(_ invoices: [StoredInvoice]) -> [String] {
    invoices.filter { $0.invoice.id.hasPrefix("stable") }
      .map { "\($0.account) \($0.invoice.id)" }
  }

  @Test("a page of any order, the first or a later one, needs no sorting", arguments: orders)
  func plans(sort: InvoiceQuery.Sort, isAscending: Bool) async throws {
    guard sort != .stored else { return }
    try await scene.withDatabase { database in
      var random = SeededNumbers(seed: 36)
      try await fill(database, &random)
      try await database.updateIndexes()
      for account in ["default", nil] {
        for type in [nil, InvoiceType.creditNote] {
          var query = InvoiceQuery()
          (query.sort, query.isAscending, query.account) = (sort, isAscending, account)
          (query.limit, query.types) = (5, type.map { [$0] })
          repeat {
            let plan = try await database.plan { [query] in try query.statement($0) }
            // The few invoices whose contact has no name on them are sorted.
            let sorts = plan.filter { $0.contains("TEMP B-TREE") }.count
            #expect(sorts <= (sort == .contact ? account == nil ? 2 : 1 : 0), "\(plan)")
            let reads = plan.filter { $0.contains(" invoice ") }
            #expect(reads.allSatisfy { $0.contains("(account=? ") || $0.contains("(account=?)") })
            query.after = try await database.invoicePage(matching: query).next
          } while query.after != nil
        }
      }
    }
  }

  @Test("the last page has no position, and neither has a query without a limit or a row")
  func end() async throws {
    try await scene.withDatabase { database in
      #expect(try await database.invoicePage(matching: InvoiceQuery()).next == nil)
      _ = try await scene.commit([try scene.invoice("a"), try scene.invoice("b")], to: database)
      var query = InvoiceQuery()
      for (limit, hasNext) in [(nil, false), (1, true), (2, true), (3, false)] as [(Int?, Bool)] {
        query.limit = limit
        #expect(try await (database.invoicePage(matching: query).next != nil) == hasNext)
      }
      query.limit = 2
      query.after = try await database.invoicePage(matching: query).next
      #expect(try await database.invoicePage(matching: query).invoices.isEmpty)
      query.sort = .total
      #expect(try await database.invoicePage(matching: query).invoices.isEmpty)
    }
  }

  @Test("a text that is no position is refused", arguments: ["", "x", "e30=", "bnVsbA=="])
  func refusal(text: String) {
    #expect(RowPosition(text) == nil)
  }
}

/// Chance that is the same in every run: SplitMix64, of Steele, Lea and Flood.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
