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
