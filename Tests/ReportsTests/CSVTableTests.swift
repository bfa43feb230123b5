import Foundation
import Models
import TestSupport
import Testing

@testable import Reports
@testable import Storage

/// The records as rows of CSV.
@Suite(.timeLimit(.minutes(1))) struct CSVTableTests {
  private func stored() throws -> StoredInvoice {
    var invoice = Invoice(
      id: "a", number: "2024-1", type: .invoice, status: .open, rawStatus: "OPEN",
      contact: Party(id: "c", name: "Ada", email: "a@b.example", taxNumber: "DE1"),
      currency: try #require(Currency(code: "EUR")),
      total: try #require(ExactDecimal("119.00")))
    invoice.version = 7
    invoice.periodStart = CalendarDate("2024-01-01")
    invoice.orderNumber = "PO-9"
    invoice.roundingAmount = ExactDecimal("0.01")
    invoice.linesIncludeTax = false
    return StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 0))
  }

  private func cells(_ row: String) -> [String] {
    row.replacing("\r\n", with: "").components(separatedBy: ",")
  }

  @Test("a table has a column for every single value, the later ones at its end")
  func columns() throws {
    let stored = try stored()
    let (names, values) = (
      cells(CSVTable.invoices.header), cells(CSVTable.invoices.row(of: stored))
    )
    #expect(names.count == values.count && names.firstIndex(of: "deletedReason") == 21)
    let single = FieldDescription.all(of: Invoice.self).filter(\.isSingle).map(\.name)
    #expect(Set(single).subtracting(names) == [])
    let row = Dictionary(uniqueKeysWithValues: zip(names, values))
    #expect(row["contactTaxNumber"] == "DE1" && row["roundingAmount"] == "0.01")
    #expect(row["linesIncludeTax"] == "false" && row["orderNumber"] == "PO-9")
    #expect(row["version"] == "7" && row["periodStart"] == "2024-01-01" && row["dueDate"] == "")
  }

  @Test("every single value of an invoice stands in its column")
  func everyField() throws {
    let invoice: Invoice = SampleFields.record()
    let stored = StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 0))
    let row = Dictionary(
      uniqueKeysWithValues: zip(
        cells(CSVTable.invoices.header), cells(CSVTable.invoices.row(of: stored))))
    let values = FieldValues(of: invoice).values
    for field in FieldDescription.all(of: Invoice.self) where field.isSingle {
      #expect(row[field.name] == values.first { $0.field == field.name }?.text, "\(field.name)")
    }
  }

  @Test("a contact's balances are one field, and those of zero are left out")
  func contacts() throws {
    let names = cells(CSVTable.contacts.header)
    #expect(names[12...14] == ["invoiceCount", "receivable", "payable"])
    let contact = Contact(id: "c", status: .active, rawStatus: "ACTIVE")
    let properties = Set(Mirror(reflecting: contact).children.compactMap(\.label))
    #expect(properties.subtracting(names) == [])
    var euros = ContactBalance(try #require(Currency(code: "EUR")))
    euros.receivable = try SampleReport.sum("120.5")
    var dollars = ContactBalance(try #require(Currency(code: "USD")))
    (dollars.receivable, dollars.payable) = (try SampleReport.sum("30"), .zero)
    let row = CSVTable.contacts.row(
      of: StoredContact(
        account: "default", contact: contact, deletedAt: nil, deletedReason: nil,
        invoiceCount: 2, balances: [euros, dollars]))
    #expect(cells(row)[12...14] == ["2", "120.50 EUR; 30.00 USD", ""])
  }

  @Test(
    "a field with a separator, a quote or a line end is quoted",
    arguments: [
      ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""),
      ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
    ])
  func quoting(text: String, field: String) {
    #expect(CSVRow.text([text, ""]) == field + ",\r\n")
  }
}
