import Models
import Testing

@testable import PlainTextAccounting
@testable import Storage

/// The rule: what is receivable or payable ends at the amount due, and what nobody explains goes to
/// an account for that.
@Suite(.timeLimit(.minutes(10))) struct DocumentTransactionsTests {
  private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  private func invoice(
    _ total: String, _ status: InvoiceStatus = .open, type: InvoiceType = .invoice,
    paid: String? = nil, credited: String? = nil, due: String? = nil,
    _ change: (inout Invoice) throws -> Void = { _ in }
  ) throws -> Invoice {
    var invoice = Invoice(
      id: "a", number: "1", type: type, status: status, rawStatus: "s",
      currency: try #require(Currency(code: "EUR")), issueDate: CalendarDate("2024-01-15"),
      updatedAt: Timestamp("2024-03-05T23:30:00Z"), total: try decimal(total),
      amountPaid: try paid.map(decimal), amountCredited: try credited.map(decimal),
      amountDue: try due.map(decimal))
    try change(&invoice)
    return invoice
  }

  /// Returns each transaction as `day mark account amount …`.
  private func texts(_ invoices: Invoice..., payments: [Payment] = []) async throws -> [String] {
    let books = try await Books(invoices, payments)
    return try await books.transactions().flatMap(\.transactions).map { transaction in
      let postings = transaction.postings.map { posting in
        [posting.place.role.rawValue, posting.place.value, posting.amount.description]
          .compactMap(\.self).joined(separator: " ")
      }
      let mark = transaction.isDoubtful ? "!" : "*"
      return "\(transaction.day) \(mark) " + postings.joined(separator: ", ")
    }
  }

  private func line(
    _ amount: String, tax: String? = nil, code: String? = "200", name: String? = "T"
  ) throws -> InvoiceLine {
    InvoiceLine(
      taxType: name, taxAmount: try tax.map(decimal), lineAmount: try decimal(amount),
      accountCode: code)
  }

  @Test(
    "a payment with a day is posted on it, and one that is only counted, on the day of the change")
  func payments() async throws {
    let listed = try invoice("121.00", .partiallyPaid, paid: "100.00", due: "21.00") {
      $0.lines = [try line("100.00", tax: "21.00")]
      $0.payments = [
        InvoicePayment(
          id: "p", date: CalendarDate("2024-02-01"), amount: try decimal("60.00"))
      ]
    }
    #expect(
      try await texts(listed) == [
        "2024-01-15 * receivable 121.00, income 200 -100.00, salesTax T -21.00",
        "2024-02-01 * payments 60.00, receivable -60.00",
        "2024-03-05 ! undatedPayments 40.00, receivable -40.00",
      ])
    let settled = try invoice("50.00", .paid) { $0.paidDate = CalendarDate("2024-02-28") }
    #expect(
      try await texts(settled).last == "2024-02-28 ! undatedPayments 50.00, receivable -50.00")
  }

  @Test("a payment of a list is posted, and a refund takes it back")
  func listedPayments() async throws {
    func payment(_ id: String, _ type: PaymentType, _ day: String) throws -> Payment {
      var payment = Payment(
        id: id, type: type, status: .completed, rawStatus: "c",
        currency: try #require(Currency(code: "EUR")), amount: try decimal("50.00"))
      payment.date = CalendarDate(day)
      payment.allocations = [Allocation(invoiceID: "a", amount: try decimal("50.00"))]
      return payment
    }
    let payments = [
      try payment("p", .receipt, "2024-02-01"), try payment("r", .refund, "2024-02-05"),
    ]
    let found = try await texts(
      try invoice("50.00", .open, paid: "50.00", due: "50.00"), payments: payments)
    #expect(
      found == [
        "2024-01-15 * receivable 50.00, income -50.00",
        "2024-02-01 * payments 50.00, receivable -50.00",
        "2024-02-05 * payments -50.00, receivable 50.00",
      ])
  }

  @Test("a credit note and the invoice that it is set against leave nothing between them")
  func credits() async throws {
    let sale = try invoice("100.00", .partiallyPaid, paid: "0.00", credited: "60.00", due: "40.00")
    let credit = try invoice("60.00", .paid, type: .creditNote, due: "0.00") {
      ($0.id, $0.number) = ("b", "CN")
    }
    #expect(
      try await texts(sale, credit) == [
        "2024-01-15 * receivable 100.00, income -100.00",
        "2024-03-05 * credits 60.00, receivable -60.00",
        "2024-01-15 * receivable -60.00, income 60.00",
        "2024-03-05 * credits -60.00, receivable 60.00",
      ])
    let listed = try invoice("60.00", .paid, type: .creditNote, due: "0.00") {
      ($0.id, $0.number) = ("b", "CN")
      $0.allocations = [
        Allocation(
          invoiceID: "a", date: CalendarDate("2024-02-10"), amount: try decimal("60.00"))
      ]
    }
    #expect(
      try await texts(sale, listed) == [
        "2024-01-15 * receivable 100.00, income -100.00",
        "2024-02-10 * credits 60.00, receivable -60.00",
        "2024-01-15 * receivable -60.00, income 60.00",
        "2024-02-10 * credits -60.00, receivable 60.00",
      ])
  }

  @Test("a credit below zero is turned, and so are the sides of purchases")
  func directions() async throws {
    let credit = try invoice("-24.20", type: .creditNote, due: "-24.20") {
      $0.lines = [try line("-20.00", tax: "-4.20")]
    }
    #expect(
      try await texts(credit) == [
        "2024-01-15 * receivable -24.20, income 200 20.00, salesTax T 4.20"
      ])
    let bill = try invoice("24.20", .paid, type: .bill, paid: "24.20", due: "0") {
      $0.lines = [try line("20.00", tax: "4.20")]
    }
    #expect(
      try await texts(bill) == [
        "2024-01-15 * payable -24.20, expense 200 20.00, purchaseTax T 4.20",
        "2024-03-05 ! undatedPayments -24.20, payable 24.20",
      ])
    #expect(
      try await texts(try invoice("24.20", type: .billCredit)) == [
        "2024-01-15 * payable 24.20, expense -24.20"
      ])
    #expect(
      try await texts(try invoice("-5.00", due: "-5.00")) == [
        "2024-01-15 * receivable -5.00, income 5.00"
      ])
  }

  @Test("lines with tax included are posted without it")
  func taxIncluded() async throws {
    let lines = try invoice("242.00", type: .bill) {
      $0.linesIncludeTax = true
      $0.lines = [try line("242.00", tax: "42.00")]
    }
    #expect(
      try await texts(lines) == [
        "2024-01-15 * payable -242.00, expense 200 200.00, purchaseTax T 42.00"
      ])
    let whole = try invoice("242.00") {
      $0.lines = [try line("121.00"), try line("121.00")]
      $0.taxBreakdown = [
        TaxSubtotal(rate: try decimal("21.0"), taxAmount: try decimal("42.00"))
      ]
    }
    #expect(
      try await texts(whole) == [
        "2024-01-15 * receivable 242.00, income 200 -200.00, salesTax 21% -42.00"
      ])
  }

  @Test("up to 0.05 is rounding, and more is unexplained")
  func differences() async throws {
    let small = try invoice("100.05") { $0.lines = [try line("100.00")] }
    #expect(
      try await texts(small) == [
        "2024-01-15 * receivable 100.05, income 200 -100.00, rounding -0.05"
      ])
    let large = try invoice("100.06") { $0.lines = [try line("100.00")] }
    #expect(
      try await texts(large) == [
        "2024-01-15 ! receivable 100.06, income 200 -100.00, unexplained -0.06"
      ])
    let stated = try invoice("120.99", due: "121.00") { $0.roundingAmount = try decimal("0.01") }
    #expect(
      try await texts(stated) == ["2024-01-15 * receivable 121.00, income -120.99, rounding -0.01"])
    #expect(
      try await texts(try invoice("100.00", .partiallyPaid, paid: "10.00", due: "80.00")).last
        == "2024-03-05 ! unexplained 10.00, receivable -10.00")
    #expect(
      try await texts(try invoice("100.00", .paid, paid: "100.01", due: "0.00")).last
        == "2024-03-05 * rounding -0.01, receivable 0.01")
  }

  @Test("what is written off, withheld, charged or allowed has an account")
  func others() async throws {
    #expect(
      try await texts(try invoice("10.00", .writtenOff, paid: "4.00", due: "6.00")) == [
        "2024-01-15 * receivable 10.00, income -10.00",
        "2024-03-05 ! undatedPayments 4.00, receivable -4.00",
        "2024-03-05 ! badDebts 6.00, receivable -6.00",
      ])
    let withheld = try invoice("100.00", paid: "0", due: "80.00") {
      $0.withheldAmount = try decimal("20.00")
    }
    #expect(try await texts(withheld).last == "2024-03-05 * withheldTax 20.00, receivable -20.00")
    let charged = try invoice("104.00") {
      $0.lines = [try line("100.00")]
      $0.allowancesAndCharges = [
        AllowanceCharge(isCharge: true, amount: try decimal("5.00")),
        AllowanceCharge(isCharge: false, amount: try decimal("1.00")),
      ]
    }
    #expect(
      try await texts(charged) == [
        "2024-01-15 * receivable 104.00, income 200 -100.00, income charges -5.00, "
          + "income allowances 1.00"
      ])
  }

  @Test("drafts, scheduled, void, deleted and unknown documents are left out")
  func omitted() async throws {
    for status in InvoiceStatus.allCases {
      let found = try await texts(try invoice("1.00", status))
      let isOmitted = [.draft, .scheduled, .void, .deleted, .unknown].contains(status)
      #expect(found.isEmpty == isOmitted, "\(status)")
    }
  }

  @Test("a day that the programs cannot read is replaced by the day of the change, and marked")
  func days() async throws {
    for day in [nil, "0203-01-05", "0001-01-01", "9999-12-31"] {
      let found = try await texts(
        try invoice("1.00") { $0.issueDate = day.flatMap { CalendarDate($0) } })
      #expect(found == ["2024-03-05 ! receivable 1.00, income -1.00"])
    }
  }

  @Test(
    "every drawn document ends at its amount due, with at most 0.05 of rounding that is not stated")
  func construction() async throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let drawn = try GeneratedBooks(400, seed: seed)
      let books = try await Books(drawn.invoices, drawn.payments)
      for (stored, transactions) in try await books.transactions() where !transactions.isEmpty {
        let invoice = stored.invoice
        var control = DecimalSum.zero
        var rounding = DecimalSum.zero
        for transaction in transactions {
          #expect(DecimalSum.zero == transaction.postings.map(\.amount).reduce(.zero, +))
          for posting in transaction.postings {
            switch posting.place.role {
            case .receivable, .payable: control.add(posting.amount)
            case .rounding: rounding.add(posting.amount.magnitude)
            default: break
            }
          }
        }
        let due: ExactDecimal =
          switch invoice.status {
          case .open: invoice.amountDue ?? invoice.total
          case .partiallyPaid: invoice.amountDue ?? .zero
          default: .zero
          }
        var wanted = DecimalSum([due])
        if invoice.isCredit {
          wanted = wanted.magnitude.negated
        }
        if invoice.isPurchase { wanted = wanted.negated }
        #expect(control == wanted, "\(invoice)")
        let stated = DecimalSum([invoice.roundingAmount?.magnitude ?? .zero])
        #expect(!(rounding - stated > .tolerance), "\(invoice)")
      }
    }
  }

  @Test("only a text with known placeholders and two parts is a template")
  func templates() {
    for text in ["income:sales", "Assets:{account}:x {contact}", "a:{code}{tax}{currency}"] {
      #expect(AccountTemplate(text)?.text == text)
    }
    for text in [
      "", "sales", "a:", ":a", "a::b", "a: :b", "{contact}:a", "a:{name}", "a:{", "a:}x",
      "a;b:c", "a:b  c", "a: b", "a:(b)",
    ] {
      #expect(AccountTemplate(text) == nil, "\(text)")
    }
    #expect(AccountTemplate.problem(of: "a:{name}")?.contains("'{name}'") == true)
  }

  @Test("accounts come from templates, codes, taxes and contacts")
  func accounts() async throws {
    var accounts = JournalAccounts()
    accounts.templates[.receivable] = AccountTemplate("Aktiva:{currency}:{contact}")
    accounts.codes["200"] = AccountTemplate("income:sales")
    accounts.taxes["T"] = AccountTemplate("liabilities:vat")
    accounts.contacts["c1"] = .name("ACME")
    accounts.declared = ["income:sales"]
    let sale = try invoice("121.00") {
      $0.contact = Party(id: "c1", name: "Acme, Ltd.")
      $0.lines = [try line("100.00", tax: "21.00")]
    }
    let books = try await Books([sale])
    let text = try await books.text(Journal(.hledger, accounts: accounts))
    #expect(text.contains("account Aktiva:EUR:ACME  ; type:A\naccount liabilities:vat  ; type:L\n"))
    #expect(text.contains("    income:sales ") && !text.contains("account income:sales"))
    accounts.contacts["c1"] = AccountTemplate("assets:acme").map { .account($0) }
    #expect(
      try await books.text(Journal(.hledger, accounts: accounts)).contains("    assets:acme "))
  }
}
