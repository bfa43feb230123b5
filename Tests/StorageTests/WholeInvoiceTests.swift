import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Everything that an invoice can hold comes back as it was stored.
@Suite(.timeLimit(.minutes(10))) struct WholeInvoiceTests {
  func invoice(_ id: String = "a") throws -> Invoice {
    func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }
    var invoice = Invoice(
      id: id, number: "2024-1", type: .creditNote, status: .partiallyPaid, rawStatus: "PART",
      contact: Party(id: "c", name: "Ada", email: "a@b.example", taxNumber: "DE1"),
      currency: try #require(Currency(code: "TND")), issueDate: CalendarDate("2024-02-29"),
      dueDate: CalendarDate("2024-03-31"), updatedAt: Timestamp(microsecondsSinceEpoch: 123_456),
      subtotal: try decimal("100.000"), totalTax: try decimal("19.000"),
      total: try decimal("119.000"), amountPaid: try decimal("9"),
      amountCredited: try decimal("0.000"), amountDue: try decimal("-110.5"), reference: "ref")
    invoice.version = 7
    invoice.periodStart = CalendarDate("2024-01-01")
    invoice.periodEnd = CalendarDate("2024-01-31")
    invoice.lineTotal = try decimal("98.5")
    invoice.allowanceTotal = try decimal("0.5")
    invoice.chargeTotal = try decimal("2")
    invoice.roundingAmount = try decimal("0.01")
    invoice.orderNumber = "PO-9"
    invoice.linesIncludeTax = false
    var line = InvoiceLine(
      id: "l", description: "Blue paint\nin tins", quantity: try decimal("3"),
      unitAmount: try decimal("0.123456"), taxType: "VAT", taxAmount: try decimal("1"),
      lineAmount: try decimal("5"), accountCode: "200")
    line.discountAmount = try decimal("0.1")
    line.taxRate = try decimal("19")
    invoice.lines = [line, InvoiceLine()]
    invoice.taxBreakdown = [
      TaxSubtotal(
        name: "19 %", rate: try decimal("19"), taxableAmount: try decimal("100"),
        taxAmount: try decimal("19"))
    ]
    invoice.payments = [
      InvoicePayment(
        id: "p", date: CalendarDate("2024-03-01"), amount: try decimal("9"), reference: "cash"),
      InvoicePayment(amount: try decimal("-1")),
    ]
    invoice.attachments = [
      AttachmentReference(
        id: "f", fileName: "a.pdf", mediaType: "application/pdf", url: "https://x.example/a",
        size: 12_345),
      AttachmentReference(),
    ]
    invoice.contact.address = PostalAddress(
      lines: ["Backyard", "1 Road"], city: "Tunis", postalCode: "1000", region: "T", country: "TN")
    invoice.ownParty = Party(
      id: "o", name: "Us", email: "us@b.example", taxNumber: "DE2", address: PostalAddress())
    invoice.allowancesAndCharges = [
      AllowanceCharge(id: "d", isCharge: false, amount: try decimal("0.5"), reason: "loyal"),
      AllowanceCharge(isCharge: true, amount: try decimal("2")),
    ]
    return invoice
  }

  func commit(
    _ invoices: [Invoice], to database: LocalDatabase, account: String = "default"
  ) async throws -> ChangeCounts {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await database.invoiceStore.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    page.records = database.invoiceStore.encode(invoices)
    return try #require(try await run.commit([page]).first).counts
  }

  func withDatabase(_ body: (LocalDatabase) async throws -> Void) async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await body(database)
    try await database.close()
  }

  @Test("every value is read as it was written, and is unchanged when it comes again")
  func everything() async throws {
    try await withDatabase { database in
      let whole = try invoice()
      _ = try await commit([whole], to: database)
      #expect(try await database.invoice("a", account: nil)?.invoice == whole)
      #expect(try await commit([whole], to: database).unchanged == 1)
    }
  }

  @Test("new records among known ones and repetitions are each stored once")
  func mixture() async throws {
    try await withDatabase { database in
      func page(_ ids: [String], version: Int64 = 7) throws -> [Invoice] {
        try ids.map { id in
          var invoice = try invoice(id)
          (invoice.version, invoice.number) = (version, "\(id)-\(version)")
          return invoice
        }
      }
      let first = try await commit(try page(["a", "b", "a", "c"]), to: database)
      #expect((first.inserted, first.updated, first.unchanged) == (3, 0, 1))
      let second = try await commit(
        try page(["d", "e", "b", "f", "c"]) + page(["g", "a", "d", "h"], version: 8), to: database)
      #expect((second.inserted, second.updated, second.unchanged) == (5, 2, 2))
      let stored = try await database.invoices(matching: InvoiceQuery()).map(\.invoice)
      #expect(
        stored.compactMap(\.number).sorted()
          == ["a-8", "b-7", "c-7", "d-8", "e-7", "f-7", "g-8", "h-8"])
    }
  }

  @Test("a change in any part is a change")
  func anyChange() async throws {
    try await withDatabase { database in
      var whole = try invoice()
      _ = try await commit([whole], to: database)
      let changes: [(inout Invoice) -> Void] = [
        { $0.lines[1].description = "" }, { $0.lines.removeLast() },
        { $0.taxBreakdown[0].rate = ExactDecimal("19.0") }, { $0.payments.swapAt(0, 1) },
        { $0.attachments[1].url = "" }, { $0.contact.taxNumber = nil }, { $0.orderNumber = nil },
        { $0.contact.address?.lines.removeFirst() }, { $0.contact.address?.lines = [] },
        { $0.ownParty?.address?.country = "DE" }, { $0.ownParty?.address = nil },
        { $0.ownParty = nil }, { $0.contact.address = nil },
        { $0.allowancesAndCharges[1].isCharge = false }, { $0.allowancesAndCharges.removeLast() },
        { $0.linesIncludeTax = nil }, { $0.total = $0.total.negated },
        // What was in one column is in the next one now.
        { ($0.reference, $0.number) = ($0.number, $0.reference) },
      ]
      for change in changes {
        change(&whole)
        #expect(try await commit([whole], to: database).updated == 1)
        #expect(try await database.invoice("a", account: nil)?.invoice == whole)
      }
    }
  }

  @Test("a number finds every invoice with it that is not deleted")
  func sameNumber() async throws {
    try await withDatabase { database in
      var gone = try invoice("gone")
      gone.status = .deleted
      _ = try await commit([gone, try invoice("b")], to: database)
      #expect(try await database.invoice("2024-1", account: nil)?.invoice.id == "b")
      #expect(try await database.invoice("gone", account: nil)?.invoice.id == "gone")
      _ = try await commit([try invoice("c")], to: database)
      #expect(try await database.invoice("2024-1", account: nil) == nil)
      let found = try await database.invoices(named: "2024-1", account: "default")
      #expect(found.map(\.invoice.id) == ["b", "c"])
      #expect(try await database.invoices(named: "2024-1", account: "other").isEmpty)
      let totals = try await database.invoiceTotals(account: nil)
      #expect(totals.map(\.status) == [.deleted, .partiallyPaid] && totals.map(\.count) == [1, 2])
    }
  }

  @Test("many deleted invoices hide no other invoice with the same number")
  func behindDeleted() async throws {
    try await withDatabase { database in
      let gone = try (10..<30).map { number in
        var invoice = try invoice("gone\(number)")
        invoice.status = .deleted
        return invoice
      }
      _ = try await commit(gone + [try invoice("live")], to: database)
      #expect(try await database.invoice("2024-1", account: nil)?.invoice.id == "live")
    }
  }

  @Test("a deleted invoice is found as deleted only, whichever status it had")
  func deleted() async throws {
    try await withDatabase { database in
      var (open, void, reported) = (
        try invoice("open"), try invoice("void"), try invoice("reported")
      )
      (open.status, void.status, reported.status) = (.open, .void, .deleted)
      var swept = open
      swept.id = "swept"
      _ = try await commit([open, void, reported, swept], to: database)
      try await database.write { db in
        try db.execute(
          sql: "UPDATE invoice SET deleted_at = 5, deleted_reason = 'gone' WHERE id = 'swept'")
      }
      let found: [(Set<InvoiceStatus>?, [String])] = [
        ([.deleted], ["reported", "swept"]), ([.open], ["open"]), ([.void], ["void"]),
        ([.open, .deleted], ["open", "reported", "swept"]),
        (nil, ["open", "void", "reported", "swept"]),
      ]
      for (statuses, ids) in found {
        for sort in InvoiceQuery.Sort.allCases {
          var query = InvoiceQuery()
          (query.statuses, query.sort, query.includesVoidAndDeleted) = (statuses, sort, true)
          let all = try await database.invoices(matching: query).map(\.invoice.id)
          #expect(Set(all) == Set(ids) && all.count == ids.count, "\(sort)")
          var issued = query
          issued.issuedOnly = true
          let counted = try await database.invoices(matching: issued).map(\.invoice.id)
          #expect(counted == ids.filter { $0 == "open" }, "\(sort)")
          let sums = try await database.totals(matching: query, by: .month).map(\.count).reduce(
            0, +)
          #expect(sums == ids.count)
        }
      }
    }
  }

  @Test("an open invoice is overdue if it had to be paid before a day")
  func overdue() async throws {
    try await withDatabase { database in
      var paid = try invoice("paid")
      paid.status = .paid
      var later = try invoice("later")
      later.dueDate = CalendarDate("2024-04-01")
      _ = try await commit([try invoice(), paid, later], to: database)
      var query = InvoiceQuery()
      query.dueBefore = CalendarDate("2024-04-01")
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
    }
  }

  @Test("closing a database waits for no reader")
  func closing() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let database = try await LocalDatabase.open(at: path)
    _ = try await commit([try invoice()], to: database)
    let reader = try await LocalDatabase.open(at: path)
    let (isReading, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reading = Task {
      try await reader.forEachInvoice(matching: InvoiceQuery()) { _ in
        isReading.signal()
        isClosed.wait()
      }
    }
    // Whatever fails before its time: a thread waits.
    defer { isClosed.signal() }
    try await eventually("it reads") { isReading.wait(timeout: .now()) == .success }
    _ = try await commit([try invoice("b")], to: database)
    try await database.close()
    isClosed.signal()
    try await reading.joined
    try await reader.close()
  }
}
