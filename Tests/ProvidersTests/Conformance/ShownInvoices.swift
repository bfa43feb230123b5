import Models

@testable import Sandbox

/// Invoices of the sandbox's ledger as providers show them; `nil` where one has no such invoice.
enum ShownInvoices {
  /// QuickBooks knows neither drafts nor words for a status.
  static func quickbooks(_ row: Invoice) -> Invoice? {
    guard row.status != .deleted else { return nil }
    let isVoid = row.status == .void
    let isPurchase = row.type == .bill || row.type == .billCredit
    let prefixes: [InvoiceType: String] = [
      .bill: "bill/", .billCredit: "vendorcredit/", .creditNote: "creditmemo/",
    ]
    func amount(_ amount: ExactDecimal?) -> ExactDecimal? {
      isVoid ? amount.map { _ in .zero } : amount
    }
    let due = amount(row.amountDue)
    var status = InvoiceStatus.partiallyPaid
    if due?.isZero == true { status = .paid } else if due == row.total { status = .open }
    var invoice = Invoice(
      id: (prefixes[row.type] ?? "") + row.id, number: row.number, type: row.type,
      status: isVoid ? .void : status, rawStatus: isVoid ? "Voided" : "", contact: row.contact,
      currency: row.currency, issueDate: row.issueDate, dueDate: row.dueDate,
      updatedAt: row.updatedAt?.truncatedToSecond, totalTax: amount(row.totalTax),
      total: isVoid ? .zero : row.total, amountDue: due,
      lines: row.lines.map { line in
        var line = line
        line.taxAmount = nil
        line.itemName = line.itemCode == nil ? nil : line.description
        line.tracking = line.tracking?.replacing("Region", with: "Class")
        line.quantity = amount(line.quantity)
        line.unitAmount = amount(line.unitAmount)
        line.lineAmount = amount(line.lineAmount)
        if isPurchase { (line.accountCode, line.accountName) = (nil, nil) }
        return line
      })
    if isPurchase {
      invoice.contact.email = nil
      invoice.contact.id = row.contact.id.map { "vendor/" + $0 }
    }
    if !isPurchase {
      invoice.lineTotal = isVoid ? .zero : ExactDecimal.sum(row.lines.compactMap(\.lineAmount))
    }
    invoice.orderNumber = row.reference.flatMap { $0.isEmpty ? nil : $0 }
    invoice.customFields =
      invoice.orderNumber.map {
        [CustomField(name: "P.O. Number", value: $0)]
      } ?? []
    invoice.home = home(row)
    invoice.home.inverseExchangeRate = nil
    invoice.home.exchangeRate = row.home.inverseExchangeRate.flatMap {
      ExactDecimal(1).divided(by: $0, decimals: 6)
    }
    (invoice.home.subtotal, invoice.home.totalTax) = (nil, nil)
    invoice.home.total = amount(invoice.home.total)
    invoice.home.amountDue = amount(invoice.home.amountDue)
    return invoice
  }

  /// The amounts in dollars, the ledger's own currency.
  private static func home(_ row: Invoice) -> HomeAmounts {
    func home(_ amount: ExactDecimal?) -> ExactDecimal? {
      row.home.inverseExchangeRate.flatMap { amount?.divided(by: $0, decimals: 12) }?
        .rounded(toScale: 2)
    }
    var amounts = HomeAmounts()
    amounts.currency = Currency(code: "USD")
    (amounts.total, amounts.amountDue) = (home(row.total), home(row.amountDue))
    amounts.subtotal = home(row.subtotal)
    amounts.totalTax = amounts.subtotal.flatMap { amounts.total?.subtracting($0) }
    return amounts
  }

  /// Stripe has no bills.
  static func stripe(_ row: Invoice) -> Invoice? {
    guard row.type == .invoice, row.status != .deleted else { return nil }
    func id(_ id: String?, _ prefix: String) -> String? {
      id.map { prefix + $0.replacing("-", with: "") }
    }
    var status = row.status
    switch row.rawStatus {
    case "SUBMITTED", "AUTHORISED": status = row.amountPaid?.isZero == true ? .open : .partiallyPaid
    default: break
    }
    let words = ["DRAFT": "draft", "PAID": "paid", "VOIDED": "void"]
    var invoice = Invoice(
      id: id(row.id, "in_") ?? "", number: row.number, type: .invoice, status: status,
      rawStatus: words[row.rawStatus] ?? "open", contact: row.contact, currency: row.currency,
      issueDate: row.status == .draft ? nil : row.issueDate, dueDate: row.dueDate,
      subtotal: row.subtotal, totalTax: row.totalTax, total: row.total,
      amountPaid: row.amountPaid, amountCredited: row.amountCredited, amountDue: row.amountDue,
      lines: row.lines.map { line in
        var line = line
        line.id = id(line.id, "il_")
        (line.taxType, line.taxName) = (nil, nil)
        (line.accountCode, line.accountName) = (nil, nil)
        line.tracking = nil
        (line.periodStart, line.periodEnd) = (row.issueDate, row.issueDate)
        return line
      })
    invoice.isReverseCharge = false
    if row.status == .paid { invoice.paidDate = row.issueDate }
    invoice.contact.id = id(row.contact.id, "cus_")
    invoice.ownParty = Party(name: "Sandbox", address: PostalAddress(country: "US"))
    if !row.lines.isEmpty {
      (invoice.periodStart, invoice.periodEnd) = (row.issueDate, row.issueDate)
    }
    if let paid = row.amountPaid, !paid.isZero {
      invoice.payments = [
        InvoicePayment(
          id: id(row.id, "ch_"), date: status == .paid ? row.issueDate : nil, amount: paid)
      ]
      invoice.payments[0].method = "card"
    }
    if let tax = row.totalTax, !tax.isZero {
      invoice.linesIncludeTax = row.linesIncludeTax
      invoice.taxBreakdown = [
        TaxSubtotal(name: "txr_sandbox", taxableAmount: row.subtotal, taxAmount: tax)
      ]
    }
    return invoice
  }

  /// Square has no bills and knows no credits: what is credited counts as paid.
  static func square(_ row: Invoice) -> Invoice? {
    guard row.type == .invoice, row.status != .deleted else { return nil }
    var invoice = row
    invoice.amountPaid = row.amountPaid?.adding(row.amountCredited ?? .zero)
    invoice.amountCredited = nil
    let digits = row.currency.minorUnitDigits
    for index in invoice.lines.indices {
      invoice.lines[index].unitAmount = row.lines[index].unitAmount?.rounded(toScale: digits)
      invoice.lines[index].discountAmount = .zero
      invoice.lines[index].taxName = nil
      (invoice.lines[index].accountCode, invoice.lines[index].accountName) = (nil, nil)
      invoice.lines[index].tracking = nil
    }
    invoice.rawStatus = ""
    invoice.home = HomeAmounts()
    (invoice.paidDate, invoice.hasAttachments) = (nil, nil)
    return invoice
  }

  /// The provider's own words and numbers are looked at elsewhere, and payments by their sum.
  static func comparableSquare(_ stored: Invoice) -> Invoice {
    var invoice = stored
    invoice.payments = []
    invoice.rawStatus = ""
    invoice.version = nil
    invoice.taxBreakdown = []
    invoice.chargeTotal = nil
    for index in invoice.lines.indices { invoice.lines[index].taxRate = nil }
    return invoice
  }

  /// Moneybird has no bills here, numbers of its own, and credits what is below zero.
  static func moneybird(_ row: Invoice) -> Invoice? {
    guard row.type == .invoice, row.status != .deleted else { return nil }
    var invoice = row
    let isInclusive = row.linesIncludeTax == true
    invoice.id = MoneybirdIdentifier.of(row.id)
    if row.status == .draft { invoice.number = nil }
    if row.total.isNegative { invoice.type = .creditNote }
    if row.status == .void { invoice.status = .writtenOff }
    invoice.contact.id = row.contact.id.map(MoneybirdIdentifier.of)
    if row.amountCredited?.isZero == true { invoice.amountCredited = nil }
    invoice.linesIncludeTax = isInclusive ? nil : false
    invoice.lines = row.lines.map { line in
      var shown = InvoiceLine(
        id: line.id.map(MoneybirdIdentifier.of), description: line.description,
        quantity: line.quantity, unitAmount: line.unitAmount,
        lineAmount: line.lineAmount?.subtracting(isInclusive ? line.taxAmount ?? .zero : .zero))
      shown.itemCode = line.itemCode.map(MoneybirdIdentifier.of)
      (shown.taxName, shown.accountName) = (line.taxName, line.accountName)
      shown.tracking = line.tracking.map { _ in "Project: " + MoneybirdIdentifier.of("North") }
      return shown
    }
    invoice.home = home(row)
    invoice.home.currency = nil
    invoice.hasAttachments = nil
    invoice.rawStatus = ""
    if let credited = row.amountCredited, !credited.isZero {
      invoice.allocations = [
        Allocation(
          id: MoneybirdIdentifier.of(row.id + "credit"),
          invoiceID: MoneybirdIdentifier.of(row.id + "credit invoice"),
          date: row.paidDate ?? row.issueDate, amount: credited)
      ]
    }
    return invoice
  }

  /// Moneybird's other lists: invoices of other programs, which have numbers of their own, and
  /// those of suppliers.
  @Sendable static func moneybird(_ server: SandboxServer, _ resource: Resource) -> [Invoice] {
    let list = resource == .bills ? MoneybirdInvoiceList.purchases : .external
    return list.invoices(in: server.state.books.all).compactMap { row in
      var sale = row
      sale.kind = .sale
      guard var invoice = sale.model.flatMap(moneybird) else { return nil }
      (invoice.number, invoice.reference) = (row.number, nil)
      if [.draft, .scheduled].contains(row.status) { invoice.status = .draft }
      if list == .purchases {
        invoice.type = row.total.isNegative ? .billCredit : .bill
        invoice.home.amountDue = nil
        // Moneybird states neither amount; a sum of no payments has no decimal places.
        if invoice.amountPaid?.isZero == true, invoice.amountCredited?.isZero ?? true {
          invoice.amountPaid = .zero
        }
        if invoice.status == .paid { invoice.amountDue = .zero }
      } else {
        invoice.id = "external/" + invoice.id
        for index in invoice.allocations.indices {
          invoice.allocations[index].invoiceID = "external/" + invoice.allocations[index].invoiceID
        }
      }
      return invoice
    }
  }

  /// The provider's own words and numbers are looked at elsewhere.
  static func comparableMoneybird(_ stored: Invoice) -> Invoice {
    var invoice = stored
    invoice.rawStatus = ""
    invoice.version = nil
    invoice.taxBreakdown = []
    invoice.payments = []
    invoice.attachments = []
    for index in invoice.lines.indices {
      invoice.lines[index].taxType = nil
      invoice.lines[index].accountCode = nil
    }
    return invoice
  }
}
