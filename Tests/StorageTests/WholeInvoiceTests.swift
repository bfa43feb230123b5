import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Everything that an invoice can hold comes back as it was stored.
@Suite struct WholeInvoiceTests {
  private func invoice(_ id: String = "a") throws -> Invoice {
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
      Payment(
        id: "p", date: CalendarDate("2024-03-01"), amount: try decimal("9"), reference: "cash"),
      Payment(amount: try decimal("-1")),
    ]
    invoice.attachments = [
      AttachmentReference(
        id: "f", fileName: "a.pdf", mediaType: "application/pdf", url: "https://x.example/a"),
      AttachmentReference(),
    ]
    return invoice
  }

  private func commit(_ invoices: [Invoice], to database: LocalDatabase) async throws
    -> ChangeCounts
  {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await database.invoiceStore.beginRun(
      RunStart(
        account: "default", provider: "p", mode: "full", startedAt: instant, watermarkBefore: nil))
    var page = PageCommit(account: "default", source: "s", run: run, instant: instant)
    page.records = database.invoiceStore.encode(invoices)
    return try await database.invoiceStore.commit(page).counts
  }

  private func withDatabase(_ body: (LocalDatabase) async throws -> Void) async throws {
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

  @Test("a change in any part is a change")
  func anyChange() async throws {
    try await withDatabase { database in
      var whole = try invoice()
      _ = try await commit([whole], to: database)
      let changes: [(inout Invoice) -> Void] = [
        { $0.lines[1].description = "" }, { $0.lines.removeLast() },
        { $0.taxBreakdown[0].rate = ExactDecimal("19.0") }, { $0.payments.swapAt(0, 1) },
        { $0.attachments[1].url = "" }, { $0.contact.taxNumber = nil }, { $0.orderNumber = nil },
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

  @Test("words are found in number, contact, reference and lines, also after a change")
  func search() async throws {
    try await withDatabase { database in
      var other = try invoice("b")
      other.lines = []
      other.contact.name = "Łukasz Müller"
      _ = try await commit([try invoice(), other], to: database)
      func found(_ words: String) async throws -> [String] {
        var query = InvoiceQuery()
        query.search = words
        return try await database.invoices(matching: query).map(\.invoice.id).sorted()
      }
      #expect(try await found("paint") == ["a"])
      #expect(try await found("BLUE tin") == ["a"])
      #expect(try await found("muller") == ["b"])
      #expect(try await found("PO-9") == ["a", "b"])
      #expect(try await found(#"" OR * NEAR("#) == [])
      other.contact.name = "Nobody"
      other.version = 8
      _ = try await commit([other], to: database)
      #expect(try await found("muller") == [])
      #expect(try await found("nobody 2024") == ["b"])
    }
  }

  @Test("the beginning of a word is found, whether few words begin so or many")
  func beginnings() async throws {
    try await withDatabase { database in
      let words = ["painting", "Paint", "PAINTER", "paste"] + (100..<130).map { "many\($0)" }
      let invoices = try words.enumerated().map { index, word in
        var invoice = try invoice("\(index)")
        invoice.lines = [InvoiceLine(description: word)]
        invoice.issueDate = CalendarDate(
          year: 2024, month: index % 12 + 1, day: index % 28 + 1)
        return invoice
      }
      _ = try await commit(invoices, to: database)
      for text in [
        "paint", "PAINT", "pa", "painte", "ada paint", "many", "many11", "many999", "päin",
      ] {
        var query = InvoiceQuery()
        query.search = text
        let last = text.lowercased().split(separator: " ").last.map(String.init) ?? ""
        let wanted = invoices.filter {
          $0.lines[0].description?.lowercased().hasPrefix(last.replacing("ä", with: "a")) == true
        }.sorted { ($0.issueDate?.description ?? "") > ($1.issueDate?.description ?? "") }
        let found = try await database.invoices(matching: query).map(\.invoice.id)
        #expect(found == wanted.map(\.id), "\(text)")
        #expect(text == "many999" || !wanted.isEmpty)
      }
    }
  }

  @Test("words without a letter or digit are left out, wherever they stand")
  func marks() async throws {
    try await withDatabase { database in
      var other = try invoice("b")
      other.contact.name = "Bo & Söhne"
      _ = try await commit([try invoice(), other], to: database)
      let wanted = [
        "ada & paint": ["a"], "& ada": ["a"], "- ada": ["a"], "ada -": ["a"], "bo & söhne": ["b"],
        "& paint": ["a", "b"], "- -": [], "&": [], "bo & pai": ["b"], "söhne pai": ["b"],
      ]
      for (words, ids) in wanted {
        var query = InvoiceQuery()
        query.search = words
        #expect(
          try await database.invoices(matching: query).map(\.invoice.id).sorted() == ids, "\(words)"
        )
      }
    }
  }

  @Test("the words that are indexed are those that the index's view shows")
  func words() async throws {
    try await withDatabase { database in
      var bare = try invoice("bare")
      (bare.number, bare.reference, bare.orderNumber, bare.contact.name) = (nil, nil, nil, nil)
      bare.lines = []
      var odd = try invoice("odd")
      odd.lines = [nil, "", "one", nil, "two\nthree"].map { InvoiceLine(description: $0) }
      var silent = try invoice("silent")
      silent.lines = [InvoiceLine(), InvoiceLine()]
      let invoices = [try invoice(), bare, odd, silent]
      _ = try await commit(invoices, to: database)
      func check() async throws {
        // With a rank, FTS5 compares the index with the view row by row.
        try await database.write { db in
          try db.execute(
            sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
        }
      }
      try await check()
      for var invoice in invoices {
        invoice.version = 9
        (invoice.reference, invoice.number) = (invoice.number, invoice.reference)
        invoice.lines.append(InvoiceLine(description: "four"))
        _ = try await commit([invoice], to: database)
      }
      try await check()
    }
  }

  @Test("what is found comes in the order of the days, whatever the order it was stored in")
  func foundInOrder() async throws {
    try await withDatabase { database in
      func dated(_ id: String, _ day: String?, version: Int64 = 1) throws -> Invoice {
        var invoice = try invoice(id)
        invoice.issueDate = day.flatMap { CalendarDate($0) }
        invoice.version = version
        return invoice
      }
      // One stands twice on the page, with another day.
      _ = try await commit(
        [
          try dated("b", "2024-02-02"), try dated("d", "1999-12-31"), try dated("none", nil),
          try dated("a", "2023-01-01"), try dated("a", "2024-02-03", version: 2),
        ], to: database)
      _ = try await commit([try dated("c", "2024-02-02")], to: database)
      _ = try await commit([try dated("d", "2020-01-01", version: 2)], to: database)
      var query = InvoiceQuery()
      query.search = "blue"
      let newest = ["a", "c", "b", "d", "none"]
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == newest)
      query.isAscending = true
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == newest.reversed())
      query.limit = 2
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["none", "d"])
      query.sort = .stored
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["b", "d"])
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  @Test("overdue is what is open and had to be paid before a day")
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

  @Test("the newest of an account, and all in the order of the rows, need no sorting")
  func plans() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      let wanted: [(String?, InvoiceQuery.Sort, String?)] = [
        ("default", .issueDate, nil), ("default", .updatedAt, nil), ("default", .stored, nil),
        (nil, .issueDate, nil), (nil, .stored, nil), ("default", .issueDate, "blue"),
        (nil, .issueDate, "blue paint"),
      ]
      for (account, sort, words) in wanted {
        var query = InvoiceQuery()
        query.account = account
        query.sort = sort
        query.search = words
        query.limit = 50
        let plan = try await database.read { [query] db in
          let (sql, arguments) = try query.statement(db)
          return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
            .map { $0["detail"] as String }
        }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sort): \(plan)")
      }
    }
  }

  @Test("whoever closes the database waits for nobody who still reads")
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
    try await eventually("it reads") { isReading.wait(timeout: .now()) == .success }
    _ = try await commit([try invoice("b")], to: database)
    try await database.close()
    isClosed.signal()
    try await reading.value
    try await reader.close()
  }
}
