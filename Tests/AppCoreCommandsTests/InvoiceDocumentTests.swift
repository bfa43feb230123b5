import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands
@testable import Presentation
@testable import Storage

/// The members of an invoice that `list`, `show` and `export` write.
@Suite(.timeLimit(.minutes(10))) struct InvoiceDocumentTests {
  private func stored() throws -> StoredInvoice {
    func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }
    var invoice = Invoice(
      id: "a", number: "2024-1", type: .invoice, status: .open, rawStatus: "OPEN",
      contact: Party(id: "c", name: "Ada", email: "a@b.example", taxNumber: "DE1"),
      currency: try #require(Currency(code: "EUR")), total: try decimal("119.00"))
    invoice.version = 7
    invoice.periodStart = CalendarDate("2024-01-01")
    invoice.periodEnd = CalendarDate("2024-01-31")
    invoice.orderNumber = "PO-9"
    invoice.lineTotal = try decimal("98.50")
    invoice.allowanceTotal = try decimal("0.5")
    invoice.chargeTotal = try decimal("2")
    invoice.roundingAmount = try decimal("0.01")
    invoice.linesIncludeTax = false
    var line = InvoiceLine(id: "l", lineAmount: try decimal("98.50"))
    line.discountAmount = try decimal("0.10")
    line.taxRate = try decimal("19")
    invoice.lines = [line]
    invoice.taxBreakdown = [TaxSubtotal(taxAmount: try decimal("19.00"))]
    invoice.payments = [InvoicePayment(amount: try decimal("1"))]
    invoice.attachments = [AttachmentReference(id: "f")]
    invoice.contact.address = PostalAddress(lines: ["1 Road"], city: "Bonn", country: "DE")
    invoice.ownParty = Party(name: "Us")
    invoice.allowancesAndCharges = [AllowanceCharge(isCharge: true, amount: try decimal("2"))]
    return StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 1))
  }

  @Test("a deleted invoice is listed as deleted, and shown with the reason")
  func deleted() async throws {
    let live = try stored()
    #expect(try await listing([live]).contains(" open "))
    let gone = StoredInvoice(
      account: "default", invoice: live.invoice, deletedAt: Timestamp(microsecondsSinceEpoch: 0),
      deletedReason: "not in the complete list", syncedAt: live.syncedAt)
    let table = try await listing([gone])
    #expect(table.contains(" deleted ") && !table.contains(" open "))
    #expect(InvoiceSheet(gone).text.contains("(not in the complete list)"))
  }

  @Test("a sheet explains discounts, rates, withheld tax and classes")
  func explained() throws {
    var invoice = try SampleRecords.invoice("a", "900.00", "USD")
    var line = InvoiceLine(
      description: "Advice", quantity: ExactDecimal("10"), unitAmount: ExactDecimal("100"),
      lineAmount: ExactDecimal("900.00"))
    (line.discountRate, line.tracking) = (ExactDecimal("10"), "Region: North")
    (line.periodStart, line.periodEnd) = (CalendarDate("2024-05-01"), CalendarDate("2024-05-31"))
    invoice.lines = [line]
    invoice.home.currency = Currency(code: "EUR")
    (invoice.home.total, invoice.home.exchangeRate) = (
      ExactDecimal("830.70"), ExactDecimal("0.923")
    )
    (invoice.paidDate, invoice.withheldAmount) = (CalendarDate("2024-06-02"), ExactDecimal("20"))
    invoice.customFields = [CustomField(name: "Site", value: "Quay")]
    func text() -> String {
      InvoiceSheet(
        StoredInvoice(
          account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
          syncedAt: Timestamp(microsecondsSinceEpoch: 1))
      ).text
    }
    for part in [
      "  10 x 100 - 10 % = 900.00 USD  Advice  [Region: North]  2024-05-01 to 2024-05-31",
      "in books   830.70 EUR  (1 USD = 0.923 EUR)", "paid on    2024-06-02",
      "withheld   20.00 USD", "  Site  Quay",
    ] { #expect(text().contains(part), "\(text())") }
    invoice.home = HomeAmounts()
    invoice.home.inverseExchangeRate = ExactDecimal("1.25")
    #expect(text().contains("in books   (1 home currency = 1.25 USD)"))
    // That of the books' own currency says nothing.
    invoice.home.inverseExchangeRate = ExactDecimal("1.0")
    #expect(!text().contains("in books"))
  }

  private func listing(_ invoices: [StoredInvoice]) async throws -> String {
    let output = TextRecorder()
    let terminal = Terminal(output: output, error: output, thread: OutputThread())
    _ = try await InvoiceQuery.table(.plain).write(to: terminal) { body in
      for invoice in invoices { try body(invoice) }
    }
    return output.text
  }

  @Test("a list of any length has each invoice once, in columns that its first thousand decide")
  func longListing() async throws {
    let one = try stored()
    for count in [0, 1, 999, 1_000, 1_001, 2_500] {
      let lines = try await listing(Array(repeating: one, count: count)).split(separator: "\n")
      #expect(lines.count == (count == 0 ? 0 : count + 1))
      #expect(Set(lines.dropFirst()).count == min(count, 1))
    }
    #expect(try await listing([]).isEmpty)
    var wide = one.invoice
    wide.contact.name = String(repeating: "long ", count: 50)
    let last = StoredInvoice(
      account: "default", invoice: wide, deletedAt: nil, deletedReason: nil,
      syncedAt: one.syncedAt)
    let text = try await listing(Array(repeating: one, count: 1_000) + [last])
    #expect(text.split(separator: "\n").last?.contains("long long") == true)
  }

  @Test("the JSON is Foundation's to the byte, for every value and every character")
  func sameAsFoundation() throws {
    struct Document: Encodable {
      var texts = (0..<0x180).compactMap { Unicode.Scalar($0).map { "a\($0)b" } }
      var (zeta, alpha, emptyList, emptyObject) = (1.5, 2.0, [Int](), [String: Int]())
      var numbers: [Int64] = [.min, -1, 0, .max]
      var seconds = [0, 0.001, 12.25, 100_000, 1e-7]
      var flags = [true, false]
      var nested = ["x": ["y": Nullable<String>(nil)]]
      var absent: String?
    }
    func expected(_ value: some Encodable) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    #expect(try JSONText.encode(Document()) == expected(Document()))
  }

  private typealias Members = [String: Any]

  private func members(_ stored: StoredInvoice, withLines: Bool = true) throws -> Members {
    var json: [UInt8] = []
    InvoiceDocument.append(stored, withLines: withLines, to: &json)
    return try #require(try JSONSerialization.jsonObject(with: Data(json)) as? Members)
  }

  @Test("every field of a record is a member with its value, in the order of its list")
  func everyField() throws {
    let invoice: Invoice = SampleFields.record()
    let stored = StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 1))
    try check(JSONText.encode(InvoiceDocument(stored)), of: invoice)
    let contact: Contact = SampleFields.record()
    let document = ContactDocument(
      StoredContact(
        account: "default", contact: contact, deletedAt: nil, deletedReason: nil, invoiceCount: 0,
        balances: []))
    try check(JSONText.encode(document), of: contact)
    // An absent value is `null`, and an absent part too.
    let blank = StoredInvoice(
      account: "default", invoice: .blank, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 1))
    let absent = try members(blank)
    #expect(absent["dueDate"] is NSNull && absent["deletedAt"] is NSNull)
    #expect(absent["ownParty"] is NSNull)
    #expect((absent["contact"] as? Members)?["address"] is NSNull)
  }

  private func check<Record: FieldListing>(_ json: String, of record: Record) throws {
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8))
    for value in FieldValues(of: record).values {
      var found: Any? = document
      for step in value.field.replacing("[", with: ".").replacing("]", with: "").split(
        separator: ".")
      {
        found =
          if let index = Int(step) { (found as? [Any])?[index] } else {
            (found as? Members)?[String(step)]
          }
      }
      switch found {
      case let list as [Any]: #expect("\(list.count)" == value.text, "\(value.field)")
      case let text as String: #expect(text == value.text, "\(value.field)")
      case let flag as Bool where value.text == "true": #expect(flag, "\(value.field)")
      case let number?: #expect("\(number)" == value.text, "\(value.field)")
      case nil: Issue.record("\(value.field) is missing")
      }
    }
    checkOrder(JSONText.indented(Array(json.utf8)), of: Record.self)
  }

  /// Checks that the members of a record follow in the order of its list of fields.
  private func checkOrder<Record: FieldListing>(_ json: [UInt8], of _: Record.Type) {
    let members = String(decoding: json, as: UTF8.self).split(separator: "\n")
      .filter { $0.prefix { $0 == " " }.count == 2 && $0.contains("\": ") }
      .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
    let names = FieldDescription.all(of: Record.self).map(\.name)
    #expect(members.starts(with: names), "\(members)")
  }

  @Test("values are written to the last digit, and lists of invoices leave out nested parts")
  func values() throws {
    let stored = try stored()
    let members = try members(stored)
    #expect(
      members["lineTotal"] as? String == "98.50" && members["account"] as? String == "default")
    #expect(members["periodEnd"] as? String == "2024-01-31" && members["version"] as? Int == 7)
    #expect(members["linesIncludeTax"] as? Bool == false)
    #expect((members["contact"] as? Members)?["taxNumber"] as? String == "DE1")
    let line = try #require((members["lines"] as? [Members])?.first)
    #expect(line["discountAmount"] as? String == "0.10" && line["taxRate"] as? String == "19")
    let listed = try self.members(stored, withLines: false)
    #expect(
      Set(members.keys).subtracting(listed.keys)
        == [
          "lines", "taxBreakdown", "payments", "attachments", "allowancesAndCharges", "ownParty",
          "allocations", "customFields", "arithmetic",
        ])
    let contact = try #require(listed["contact"] as? Members)
    #expect(contact["taxNumber"] as? String == "DE1" && contact["address"] == nil)
  }

  @Test("a user sees the stored values, each list under its name, and no control characters")
  func sheet() throws {
    var stored = try stored()
    var invoice = stored.invoice
    invoice.contact.address?.lines = ["1\u{1B}[2J Road"]
    invoice.contact.address?.postalCode = "53111"
    invoice.payments[0].date = CalendarDate("2024-03-01")
    stored = StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: stored.syncedAt)
    let text = InvoiceSheet(stored).text
    for line in [
      "address    1\u{FFFD}[2J Road, 53111  Bonn, DE", "period     2024-01-01 to 2024-01-31",
      "order      PO-9", "own name   Us", "rounding   0.01 EUR",
      "lines\n  - x - ", " = 98.50 EUR", "added, taken off\n  added  2.00 EUR",
      "taxes\n  19.00 EUR", "attachments\n  f",
    ] {
      #expect(text.contains(line), "\(line)")
    }
  }
}
