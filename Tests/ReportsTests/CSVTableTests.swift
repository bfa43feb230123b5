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
      cells(CSVTable.invoices.header), cells(CSVTable.invoices.rows(of: stored).joined())
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
        cells(CSVTable.invoices.header), cells(CSVTable.invoices.rows(of: stored).joined())))
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
    // The addresses have a column for each of their parts.
    #expect(properties.subtracting(names) == ["address", "deliveryAddress"])
    var euros = ContactBalance(try #require(Currency(code: "EUR")))
    euros.receivable = try SampleReport.sum("120.5")
    var dollars = ContactBalance(try #require(Currency(code: "USD")))
    (dollars.receivable, dollars.payable) = (try SampleReport.sum("30"), .zero)
    let rows = CSVTable.contacts.rows(
      of: StoredContact(
        account: "default", contact: contact, deletedAt: nil, deletedReason: nil,
        invoiceCount: 2, balances: [euros, dollars]))
    #expect(cells(rows.joined())[12...14] == ["2", "120.50 EUR; 30.00 USD", ""])
  }

  @Test(
    "a field with a separator, a quote or a line end is quoted",
    arguments: [
      ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""),
      ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
    ])
  func quoting(text: String, field: String) {
    #expect(CSVDialect.standard.row([text, ""], isNumber: [false, true]) == field + ",\r\n")
  }

  /// Returns the rows of an invoice as dictionaries of their columns.
  private func rows(
    _ table: CSVTable<StoredInvoice>, _ invoice: Invoice
  ) -> [[String: String]] {
    let stored = StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 0))
    return table.rows(of: stored).map {
      Dictionary(uniqueKeysWithValues: zip(cells(table.header), cells($0)))
    }
  }

  @Test("the table of lines has a row for each line with every field, and one without lines")
  func lines() throws {
    var invoice = try stored().invoice
    let line: InvoiceLine = SampleFields.record()
    invoice.lines = [line, InvoiceLine(description: "text")]
    let found = rows(.lines, invoice)
    #expect(found.count == 2 && found.allSatisfy { $0["id"] == "a" && $0["contactName"] == "Ada" })
    #expect(found[1]["lineDescription"] == "text" && found[1]["lineAmount"] == "")
    for field in FieldDescription.all(of: InvoiceLine.self) {
      let name =
        ["id": "lineID", "lineAmount": "lineAmount"][field.name]
        ?? "line" + field.name.prefix(1).uppercased() + field.name.dropFirst()
      let value = FieldValues(of: line).values.first { $0.field == field.name }?.text
      #expect(found[0][name] == value, "\(name)")
    }
    invoice.lines = []
    let empty = rows(.lines, invoice)
    #expect(empty.count == 1 && empty[0]["number"] == "2024-1" && empty[0]["lineID"] == "")
  }

  @Test("the table of taxes has a row for each stated tax, or else the total tax")
  func taxRates() throws {
    var invoice = try stored().invoice
    func texts() -> [[String?]] {
      rows(.taxRates, invoice).map { row in
        ["taxName", "taxRate", "taxableAmount", "taxAmount"].map { row[$0] }
      }
    }
    #expect(texts() == [["", "", "", ""]])
    invoice.totalTax = ExactDecimal("19.00")
    #expect(texts() == [["", "", "100.00", "19.00"]])
    invoice.lines = [
      InvoiceLine(
        taxType: "OUT", taxAmount: ExactDecimal("19.00"), lineAmount: ExactDecimal("100.00"))
    ]
    #expect(texts() == [["OUT", "", "100.00", "19.00"]])
    invoice.taxBreakdown = [
      TaxSubtotal(
        name: "VAT", rate: ExactDecimal("19"), taxableAmount: ExactDecimal("90"),
        taxAmount: try #require(ExactDecimal("17.10"))),
      TaxSubtotal(rate: ExactDecimal("0"), taxAmount: .zero),
    ]
    #expect(texts() == [["VAT", "19", "90", "17.10"], ["", "0", "", "0"]])
  }
}
