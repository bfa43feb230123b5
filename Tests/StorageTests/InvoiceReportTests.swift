import Foundation
import GRDB
import Models
import Testing

@testable import Storage

/// A report adds up what counts, to the last digit, each currency and side apart.
@Suite(.timeLimit(.minutes(10))) struct InvoiceReportTests {
  private let scene = WholeInvoiceTests()

  private func invoice(
    _ id: String, _ total: String, due: String? = nil, paid: String? = nil,
    _ adjust: (inout Invoice) throws -> Void = { _ in }
  ) throws -> Invoice {
    var invoice = try scene.invoice(id)
    invoice.type = .invoice
    invoice.status = .open
    invoice.currency = try #require(Currency(code: "EUR"))
    invoice.issueDate = CalendarDate("2024-01-31")
    invoice.dueDate = CalendarDate("2024-02-10")
    invoice.total = try #require(ExactDecimal(total))
    invoice.amountDue = due.flatMap { ExactDecimal($0) }
    invoice.amountPaid = paid.flatMap { ExactDecimal($0) }
    invoice.amountCredited = nil
    try adjust(&invoice)
    return invoice
  }

  private func report(
    of invoices: [Invoice], payments: [Payment] = [], on day: String = "2024-02-10",
    _ adjust: (inout InvoiceReportQuery) -> Void = { _ in }
  ) async throws -> InvoiceReport {
    var query = InvoiceReportQuery(day: try #require(CalendarDate(day)))
    adjust(&query)
    let asked = query
    var report = InvoiceReport(emptyFor: query)
    try await scene.withDatabase { database in
      _ = try await scene.commit(invoices, to: database)
      try await RowPageTests.commit(payments, to: database.paymentStore())
      try await database.updateIndexes()
      report = try await database.invoiceReport(asked)
    }
    return report
  }

  @Test("months are summed exactly, and credits are subtracted whichever sign they have")
  func months() async throws {
    let report = try await report(of: [
      try invoice("a", "9007199254740993.01", paid: "0.10"), try invoice("b", "0.1", paid: "0.1"),
      try invoice("c", "10") { $0.type = .creditNote },
      try invoice("d", "-2") { $0.type = .creditNote },
      try invoice("e", "7") { $0.issueDate = CalendarDate("2023-12-01") },
      try invoice("f", "8") { $0.issueDate = nil },
    ])
    let section = try #require(report.sections.first)
    #expect(report.sections.count == 1 && report.count == 6 && report.omittedCount == 0)
    #expect(
      section.months.map { "\($0.month?.description ?? "-") \($0.count) \($0.invoiced) \($0.paid)" }
        == [
          "2023-12 1 7 0", "2024-01 4 9007199254740981.11 0.20", "- 1 8 0",
        ])
    #expect(section.invoiced.description == "9007199254740996.11")
    #expect(section.paid.description == "0.20")
  }

  @Test("what a credit note settles of an invoice is neither paid nor paid back")
  func credited() async throws {
    func settled(_ amounts: [String: String]) throws -> [Allocation] {
      try amounts.map { id, amount in
        Allocation(invoiceID: id, amount: try #require(ExactDecimal(amount)))
      }
    }
    let report = try await report(of: [
      try invoice("a", "100", paid: "70") { $0.status = .paid },
      try invoice("b", "50") { $0.status = .paid },
      try invoice("c", "9") { $0.status = .paid },
      // Of this one, 5 were paid back.
      try invoice("x", "40") {
        ($0.type, $0.status) = (.creditNote, .paid)
        $0.allocations = try settled(["a": "30", "b": "5"])
      },
      try invoice("y", "-8") {
        ($0.type, $0.status, $0.amountCredited) = (.creditNote, .paid, ExactDecimal("-8"))
      },
      try invoice("z", "3") { ($0.type, $0.status) = (.creditNote, .paid) },
      try invoice("v", "20") {
        ($0.type, $0.status) = (.creditNote, .void)
        $0.allocations = try settled(["c": "2"])
      },
    ])
    let section = try #require(report.sections.first)
    // 70 + (50 − 5) + 9 − (40 − 35) − 0 − 3.
    #expect(section.paid.description == "116")
  }

  @Test("payments are summed by their own months, and what was paid back is subtracted")
  func payments() async throws {
    func paid(_ parts: [(String?, String)]) throws -> [InvoicePayment] {
      try parts.map { day, amount in
        InvoicePayment(
          date: day.flatMap { CalendarDate($0) }, amount: try #require(ExactDecimal(amount)))
      }
    }
    let invoices = [
      try invoice("a", "9007199254740993.01") {
        $0.payments = try paid([("2024-02-01", "9007199254740990.01"), ("2024-03-05", "3")])
      },
      try invoice("b", "10") { $0.payments = try paid([("2024-02-29", "10"), (nil, "1")]) },
      try invoice("c", "4") {
        $0.type = .creditNote
        $0.payments = try paid([("2024-03-01", "4")])
      },
      try invoice("d", "7") {
        $0.type = .bill
        $0.payments = try paid([("2024-02-02", "7")])
      },
      try invoice("e", "8") {
        $0.status = .void
        $0.payments = try paid([("2024-02-02", "8")])
      },
    ]
    func months(_ section: InvoiceReportSection?) -> [String] {
      section?.payments.map { "\($0.month?.description ?? "-") \($0.count) \($0.paid)" } ?? []
    }
    let report = try await report(of: invoices)
    #expect(
      months(report.sections.first) == ["2024-02 2 9007199254741000.01", "2024-03 2 -1", "- 1 1"])
    #expect(months(report.sections.last) == ["2024-02 1 7"])
    let part = try await self.report(of: invoices) {
      $0.issuedFrom = CalendarDate("2024-01-01")
      $0.issuedThrough = CalendarDate("2024-02-28")
    }
    #expect(months(part.sections.first) == ["2024-02 1 9007199254740990.01"])
  }

  @Test("each currency and each side is a section, the currency with the most invoices first")
  func sections() async throws {
    let yen = try #require(Currency(code: "JPY"))
    let report = try await report(of: [
      try invoice("a", "1") { $0.currency = yen },
      try invoice("b", "2"), try invoice("c", "3") { $0.type = .bill },
      try invoice("d", "4") { $0.type = .billCredit },
    ])
    #expect(
      report.sections.map { "\($0.currency) \($0.side) \($0.invoiced)" }
        == ["EUR sales 2", "EUR purchases -1", "JPY sales 1"])
  }

  @Test("accounts are never added up, not even customers of the same name")
  func accounts() async throws {
    try await scene.withDatabase { database in
      for (account, total) in [("b", "1"), ("a", "2"), ("c", "4")] {
        let invoices = [
          try invoice("1", total, due: total),
          try invoice("2", "8", due: "8") { $0.issueDate = CalendarDate("2024-02-01") },
        ]
        _ = try await scene.commit(invoices, to: database, account: account)
      }
      try await database.updateIndexes()
      var query = InvoiceReportQuery(day: try #require(CalendarDate("2024-02-11")))
      query.contactLimit = 1
      query.unpaidLimit = 1
      let report = try await database.invoiceReport(query)
      #expect(report.count == 6 && report.accounts == ["a", "b", "c"])
      #expect(
        report.sections.map { "\($0.account) \($0.invoiced) \($0.due) \($0.overdue)" }
          == ["a 10 10 10", "b 9 9 9", "c 12 12 12"])
      for section in report.sections {
        #expect(section.months.map { $0.month?.description } == ["2024-01", "2024-02"])
        #expect(section.contacts.map(\.invoiced) == [section.invoiced])
        #expect(section.contactCount == 1 && section.unpaid.map(\.account) == [section.account])
      }
      query.accounts = ["b", "c"]
      #expect(try await database.invoiceReport(query).sections.map(\.account) == ["b", "c"])
    }
  }

  @Test("drafts, scheduled, void and deleted invoices are left out and counted apart")
  func omitted() async throws {
    let others: [InvoiceStatus] = [.draft, .scheduled, .void, .deleted]
    let report = try await report(
      of: try others.map { status in
        try invoice(status.rawValue, "5", due: "5") { $0.status = status }
      } + [
        try invoice("a", "1"), try invoice("second draft", "5") { $0.status = .draft },
      ])
    #expect(report.count == 1 && report.omittedCount == 5)
    #expect(report.omittedCounts == [.draft: 2, .scheduled: 1, .void: 1, .deleted: 1])
    #expect(report.sections.first?.due.description == "1")
  }

  @Test("the age of an amount due changes the day after 0, 30, 60 and 90 days")
  func ageing() async throws {
    let days = [
      "2024-02-10", "2024-02-11", "2024-03-11", "2024-03-12", "2024-04-10", "2024-04-11",
      "2024-05-10", "2024-05-11",
    ]
    var ages: [DueAge] = []
    for day in days {
      let report = try await report(of: [try invoice("a", "1", due: "0.5")], on: day)
      ages += report.sections.first?.ageing.map(\.age) ?? []
    }
    #expect(
      ages == [
        .notDue, .upTo30, .upTo30, .upTo60, .upTo60, .upTo90, .upTo90, .over90,
      ])
  }

  @Test("money on account is subtracted from what is due, at the age of its own day")
  func onAccount() async throws {
    let money = try [
      ("p", PaymentType.receipt, "2024-01-31", "2.5"), ("q", .receipt, "2024-02-10", "0.25"),
      ("r", .refund, "2024-01-31", "0.5"), ("s", .payment, "2024-01-31", "9"),
    ].map { id, type, day, left in
      var payment = Payment(
        id: id, type: type, status: .completed, rawStatus: "",
        currency: try invoice("a", "1").currency, amount: try #require(ExactDecimal("100")))
      payment.date = CalendarDate(day)
      payment.unallocatedAmount = ExactDecimal(left)
      return payment
    }
    let report = try await report(
      of: [try invoice("a", "5"), try invoice("b", "3") { $0.dueDate = nil }], payments: money,
      on: "2024-02-11")
    let section = try #require(report.sections.first)
    #expect(
      section.ageing.map { "\($0.age) \($0.count) \($0.due)" } == ["upTo30 1 2.75", "undated 1 3"])
    #expect(section.due.description == "5.75" && section.onAccount.description == "-2.25")
    let before = try await self.report(
      of: [try invoice("b", "3") { $0.dueDate = nil }], payments: Array(money.prefix(1)),
      on: "2024-01-31")
    #expect(
      before.sections.first?.ageing.map { "\($0.age) \($0.count) \($0.due)" }
        == ["notDue 0 -2.5", "undated 1 3"])
  }

  @Test("open and partially paid invoices are due, with their total if no due amount is known")
  func due() async throws {
    let report = try await report(
      of: [
        try invoice("a", "5"), try invoice("b", "6", due: "2") { $0.status = .partiallyPaid },
        try invoice("c", "7", due: "0") { $0.status = .paid },
        try invoice("d", "8") { $0.status = .partiallyPaid },
        try invoice("e", "1", due: "1") { $0.type = .creditNote },
        try invoice("f", "3", due: "3") { $0.dueDate = nil },
      ], on: "2024-02-11")
    let section = try #require(report.sections.first)
    #expect(
      section.ageing.map { "\($0.age) \($0.count) \($0.due)" } == ["upTo30 4 6", "undated 1 3"])
    #expect(section.due.description == "9" && section.overdue.description == "6")
    #expect(section.unpaidCount == 5)
    // A paid invoice of an unknown paid amount was paid in full.
    #expect(section.paid.description == "7")
    #expect(section.unpaid.map(\.id) == ["a", "b", "d", "e", "f"])
    #expect(section.unpaid.map { $0.due?.description } == ["5", "2", nil, "-1", "3"])
  }

  @Test("the largest contacts and the invoices due first are listed, the others counted")
  func limits() async throws {
    let report = try await report(
      of: try (1...9).map { number in
        try invoice("\(number)", "\(number)") {
          $0.contact = Party(id: "c\(number % 3)", name: number == 9 ? "Zero" : nil)
          $0.dueDate = CalendarDate("2024-02-0\(10 - number)")
        }
      }
    ) {
      $0.contactLimit = 2
      $0.unpaidLimit = 3
    }
    let section = try #require(report.sections.first)
    #expect(section.contactCount == 3)
    #expect(section.contacts.map(\.id) == ["c0", "c2"])
    #expect(section.contacts.map(\.name) == ["Zero", nil])
    #expect(section.contacts.map(\.invoiced.description) == ["18", "15"])
    #expect(section.unpaid.map(\.id) == ["9", "8", "7"] && section.unpaidCount == 9)
  }

  @Test("a report covers the requested accounts and days")
  func narrowing() async throws {
    let invoices = try ["2024-01-01", "2024-01-02", "2024-01-03"].map { day in
      try invoice(day, "1", due: "1") { $0.issueDate = CalendarDate(day) }
    }
    let days = try await report(of: invoices) {
      $0.issuedFrom = CalendarDate("2024-01-02")
      $0.issuedThrough = CalendarDate("2024-01-02")
      $0.accounts = ["default"]
    }
    #expect(days.sections.first?.unpaid.map(\.id) == ["2024-01-02"] && days.count == 1)
    #expect(days.accounts == ["default"])
    let other = try await report(of: invoices) { $0.accounts = ["other"] }
    #expect(other.sections.isEmpty && other.accounts.isEmpty)
    #expect(try await report(of: invoices) { $0.accounts = [] }.count == 0)
    #expect(try await report(of: []).sections.isEmpty)
  }

  @Test("amounts due are found by an index, without reading paid invoices")
  func plan() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit([try invoice("a", "1")], to: database)
      try await database.updateIndexes()
      let query = InvoiceReportQuery(day: try #require(CalendarDate("2024-02-10")))
      for isList in [false, true] {
        let plan = try await database.plan {
          let statements = try InvoiceReportStatements(query, $0)
          return isList ? statements.unpaid : statements.ageing
        }
        #expect(
          plan.contains { $0.contains("invoice_by_due_date (account=?)") }
            && !plan.contains { $0.contains("SCAN invoice") },
          "\(plan)")
      }
    }
  }
}
