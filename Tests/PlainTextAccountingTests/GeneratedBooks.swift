import Models
import SyncSupport
import Testing

/// Documents of all types, statuses and currencies, drawn from a seed, with payments and credits.
struct GeneratedBooks {
  private(set) var invoices: [Invoice] = []
  private(set) var payments: [Payment] = []

  private var random: SeededRandom

  private static let currencies = ["EUR", "USD", "GBP", "JPY", "TND", "CLF", "KWD", "XQQ"]
  private static let names = [
    "Acme, Ltd.", "Bräuhof | Söhne; GmbH", "東京 KK", "O'Neill \"Bros\" & Co.", "(Brackets) [Inc]",
    "  Two  Spaces ", "ünder", "2b or not", "--", "e\u{301}te\u{301}", "Ελλάς ΑΕ", "100% {Best} *!",
  ]

  init(_ count: Int, seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    for index in 0..<count { try addDocument(index) }
  }

  private mutating func addDocument(_ index: Int) throws {
    let contact = random.below(60)
    let currency = try #require(Currency(code: random.one(of: Self.currencies)))
    var invoice = Invoice(
      id: "id-\(index)", number: random.chance(95) ? "N-\(index % 997)" : nil,
      type: random.one(of: InvoiceType.allCases), status: random.one(of: InvoiceStatus.allCases),
      rawStatus: "r", currency: currency, total: .zero)
    // Twelve names of sixty contacts, and some without a name.
    let name = contact % 13 == 12 ? nil : Self.names[contact % 12] + (contact < 24 ? "" : " 2")
    let hasID = name == nil || random.chance(98)
    invoice.contact = Party(id: hasID ? "contact-\(contact)" : nil, name: name)
    if random.chance(97) { invoice.issueDate = day(within: 0...1_500) }
    if random.chance(1) { invoice.issueDate = CalendarDate("0203-01-05") }
    if random.chance(80) { invoice.dueDate = day(within: 0...1_600) }
    if random.chance(90) {
      invoice.updatedAt = Timestamp(
        microsecondsSinceEpoch: Int64(1_600_000_000 + random.below(90_000_000)) * 1_000_000)
    }
    let digits = currency.minorUnitDigits
    addParts(to: &invoice, digits)
    // A contact's credits all have one sign, as those of a provider do.
    let isNegative = invoice.isCredit ? contact.isMultiple(of: 2) : random.chance(3)
    settle(&invoice, digits)
    if isNegative { invoice.turn() }
    if invoice.issueDate != nil, random.chance(20) { invoice.paidDate = day(within: 0...1_600) }
    invoices.append(invoice)
  }

  private mutating func day(within range: ClosedRange<Int>) -> CalendarDate? {
    CalendarDate(daysSinceEpoch: 18_500 + random.within(range))
  }

  private mutating func amount(_ digits: Int, below bound: Int = 100_000) -> ExactDecimal {
    ExactDecimal(coefficient: Int128(random.below(bound)), scale: digits) ?? .zero
  }

  private mutating func addParts(to invoice: inout Invoice, _ digits: Int) {
    invoice.linesIncludeTax = random.one(of: [true, false, nil])
    let statesTax = random.chance(80)
    var (net, tax) = (ExactDecimal.zero, ExactDecimal.zero)
    for _ in 0..<random.below(5) {
      var line = InvoiceLine()
      line.description = random.one(of: ["Paint: [2024-01-01] date:2025-06-01", "Book", "", nil])
      line.accountCode = random.one(of: ["200", "210", "sales:web", "4 000; x", nil])
      let lineNet = amount(random.chance(5) ? digits + 2 : digits)
      let lineTax = random.chance(20) ? ExactDecimal.zero : amount(digits, below: 20_000)
      if statesTax {
        (line.taxType, line.taxAmount) = (random.one(of: ["OUTPUT21", "9 %", nil]), lineTax)
      }
      let isGross = invoice.linesIncludeTax == true
      line.lineAmount = isGross ? lineNet.adding(lineTax) : lineNet
      if random.chance(4) { line.lineAmount = nil }
      (net, tax) = (net.adding(lineNet) ?? net, tax.adding(lineTax) ?? tax)
      invoice.lines.append(line)
    }
    if random.chance(10) {
      let charge = amount(digits, below: 500)
      invoice.allowancesAndCharges = [
        AllowanceCharge(isCharge: random.chance(50), amount: charge, reason: "r")
      ]
    }
    if random.chance(10) {
      invoice.taxBreakdown = [
        TaxSubtotal(name: random.one(of: ["VAT", nil]), rate: ExactDecimal(21), taxAmount: tax)
      ]
    }
    (invoice.subtotal, invoice.totalTax) = (net, tax)
    let noise =
      random.chance(10) ? amount(digits, below: 8) : random.chance(3) ? amount(digits) : .zero
    invoice.total = net.adding(tax)?.adding(noise) ?? net
    if random.chance(5) { invoice.roundingAmount = ExactDecimal(coefficient: 1, scale: digits) }
  }

  /// Adds payments and credits, and the amounts that the provider states of them.
  private mutating func settle(_ invoice: inout Invoice, _ digits: Int) {
    var paid = ExactDecimal.zero
    for part in 0..<random.below(3) {
      let amount = amount(digits, below: 20_000)
      let date = random.chance(85) ? day(within: 0...1_600) : nil
      paid = paid.adding(amount) ?? paid
      if random.chance(50) {
        invoice.payments.append(
          InvoicePayment(id: random.chance(80) ? "p\(part)" : nil, date: date, amount: amount))
      } else {
        addPayment(of: invoice, part, amount, date)
      }
    }
    var credited = ExactDecimal.zero
    if random.chance(20), let other = invoices.last(where: { $0.isCredit == invoice.isCredit }) {
      credited = amount(digits, below: 5_000)
      invoice.allocations = [
        Allocation(
          invoiceID: other.id, invoiceNumber: other.number, date: day(within: 0...1_600),
          amount: credited)
      ]
    }
    let beyond = random.chance(30) ? amount(digits, below: 9_000) : .zero
    invoice.amountPaid = random.chance(75) ? paid.adding(beyond) : nil
    invoice.amountCredited = random.chance(50) ? credited : nil
    if random.chance(5) { invoice.withheldAmount = amount(digits, below: 2_000) }
    let settled = paid.adding(beyond)?.adding(credited) ?? paid
    let due = invoice.total.subtracting(settled)
    invoice.amountDue = random.one(of: [due, due, due, .zero, amount(digits), nil])
    // Nothing is due of a credit that is used up.
    if invoice.isCredit, invoice.amountDue?.isNegative == true { invoice.amountDue = .zero }
  }

  private mutating func addPayment(
    of invoice: Invoice, _ part: Int, _ amount: ExactDecimal, _ date: CalendarDate?
  ) {
    let isRefund = random.chance(15)
    let isPurchase = invoice.type == .bill || invoice.type == .billCredit
    var payment = Payment(
      id: "\(invoice.id)/\(part)", type: isPurchase ? .payment : .receipt,
      status: random.one(of: [.completed, .completed, .unknown, .pending, .void]), rawStatus: "r",
      currency: invoice.currency, amount: amount)
    if isRefund { payment.type = isPurchase ? .supplierRefund : .refund }
    payment.date = date
    payment.allocations = [
      Allocation(
        invoiceID: invoice.id, date: random.chance(30) ? day(within: 0...1_600) : nil,
        amount: amount)
    ]
    payments.append(payment)
  }
}

extension Invoice {
  var isCredit: Bool { type == .creditNote || type == .billCredit }
  var isPurchase: Bool { type == .bill || type == .billCredit }

  /// Turns the sign of all amounts.
  fileprivate mutating func turn() {
    func turn(_ amount: inout ExactDecimal?) { amount = amount?.negated }
    total = total.negated
    turn(&subtotal)
    turn(&totalTax)
    turn(&amountPaid)
    turn(&amountCredited)
    turn(&amountDue)
    turn(&roundingAmount)
    for index in lines.indices {
      turn(&lines[index].lineAmount)
      turn(&lines[index].taxAmount)
    }
    for index in taxBreakdown.indices {
      taxBreakdown[index].taxAmount = taxBreakdown[index].taxAmount.negated
    }
    for index in payments.indices { payments[index].amount = payments[index].amount.negated }
    for index in allowancesAndCharges.indices {
      allowancesAndCharges[index].amount = allowancesAndCharges[index].amount.negated
    }
  }
}
