import ErrorCodes
import Models
import Testing

/// Invoices and contacts that commands show.
enum SampleRecords {
  static func invoice(
    _ id: String, number: String? = nil, contact: Party = Party(name: "Acme Ltd"),
    _ total: String = "10.00", _ currency: String = "EUR", type: InvoiceType = .invoice,
    status: InvoiceStatus = .open, issued: String = "2024-05-01", due: String? = "2024-05-31"
  ) throws -> Invoice {
    var invoice = Invoice(
      id: id, type: type, status: status, rawStatus: status.rawValue, contact: contact,
      currency: try #require(Currency(code: currency)), total: try #require(ExactDecimal(total)))
    invoice.number = number
    invoice.issueDate = CalendarDate(issued)
    invoice.dueDate = due.flatMap { CalendarDate($0) }
    invoice.amountDue = status == .paid ? .zero : invoice.total
    return invoice
  }

  /// An invoice with every value and every part that an invoice can have.
  static func complete(_ id: String, number: String) throws -> Invoice {
    func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }
    var invoice = try invoice(
      id, number: number,
      contact: Party(
        id: "c-1", name: "Ada Ltd", email: "ada@example.com", taxNumber: "GB1",
        address: PostalAddress(
          lines: ["1 Road", "Yard"], city: "London", postalCode: "N1", region: "Greater London",
          country: "GB")), "119.00")
    (invoice.reference, invoice.orderNumber, invoice.version) = ("Ref", "PO-9", 7)
    invoice.updatedAt = Timestamp(microsecondsSinceEpoch: 1_714_554_000_000_000)
    (invoice.periodStart, invoice.periodEnd) = (
      CalendarDate("2024-04-01"), CalendarDate("2024-04-30")
    )
    (invoice.subtotal, invoice.totalTax) = (try decimal("100.00"), try decimal("19.00"))
    (invoice.lineTotal, invoice.roundingAmount) = (try decimal("98.50"), try decimal("0.00"))
    (invoice.allowanceTotal, invoice.chargeTotal) = (try decimal("0.50"), try decimal("2.00"))
    (invoice.amountPaid, invoice.amountCredited) = (try decimal("19.00"), try decimal("0.00"))
    (invoice.amountDue, invoice.linesIncludeTax) = (try decimal("100.00"), false)
    invoice.ownParty = Party(name: "Us GmbH")
    var line = InvoiceLine(
      id: "l-1", description: "Paint", quantity: try decimal("2"),
      unitAmount: try decimal("49.30"), taxType: "S", taxAmount: try decimal("19.00"),
      lineAmount: try decimal("98.50"), accountCode: "200")
    (line.discountAmount, line.taxRate) = (try decimal("0.10"), try decimal("19"))
    invoice.lines = [line]
    invoice.taxBreakdown = [
      TaxSubtotal(
        name: "VAT", rate: try decimal("19"), taxableAmount: try decimal("100.00"),
        taxAmount: try decimal("19.00"))
    ]
    invoice.payments = [
      InvoicePayment(
        id: "p-1", date: CalendarDate("2024-05-02"), amount: try decimal("19.00"),
        reference: "Bank")
    ]
    invoice.allowancesAndCharges = [
      AllowanceCharge(id: "x-1", isCharge: true, amount: try decimal("2.00"), reason: "Freight")
    ]
    invoice.attachments = [
      AttachmentReference(
        id: "f-1", fileName: "a.pdf", mediaType: "application/pdf", url: "https://x.example/a",
        size: 12_345)
    ]
    return invoice
  }

  /// - Parameter paid: the identifiers of the documents that it pays, each with the amount.
  static func payment(
    _ id: String, _ amount: String = "10.00", type: PaymentType = .receipt,
    status: PaymentStatus = .completed, on day: String? = "2024-05-02", reference: String? = nil,
    pays paid: KeyValuePairs<String, String> = [:]
  ) throws -> Payment {
    var payment = Payment(
      id: id, type: type, status: status, rawStatus: status.rawValue,
      currency: try #require(Currency(code: "EUR")), amount: try #require(ExactDecimal(amount)))
    (payment.date, payment.reference) = (day.flatMap { CalendarDate($0) }, reference)
    payment.allocations = try paid.map {
      Allocation(invoiceID: $0.key, amount: try #require(ExactDecimal($0.value)))
    }
    return payment
  }

  static func contact(_ id: String, _ name: String?, email: String? = nil) -> Contact {
    var contact = Contact(id: id, status: .active, rawStatus: "ACTIVE")
    (contact.name, contact.email) = (name, email)
    return contact
  }

  /// Invoices with the names and numbers that make tables hard.
  static func varied() throws -> [Invoice] {
    [
      try invoice(
        "692c54e1-4429-447a-a89a-a872db4c4e18", contact: Party(name: "Bräuhof Printing & Söhne"),
        "3321", "JPY", issued: "2024-05-04"),
      try invoice("b", number: "INV-0042", contact: Party(name: "株式会社サンプル"), issued: "2024-05-03"),
      try invoice(
        "c", number: "INV-0043", contact: Party(name: "👨‍👩‍👧 Family 🇵🇱"), "1234567.89", status: .paid,
        issued: "2024-05-02"),
      try invoice(
        "d", number: "INV-0044-with-a-long-suffix", type: .creditNote, status: .partiallyPaid,
        due: nil),
    ]
  }
}
