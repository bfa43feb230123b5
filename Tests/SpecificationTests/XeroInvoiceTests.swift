import Foundation
import Models
import Providers
import SyncSupport
import Testing

/// Xero's invoices, made from its specification.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Vendors.isThere, "\(Vendors.absence)"))
struct XeroInvoiceTests {
  private static let read: Set<String> = [
    "Type", "Contact", "LineItems", "Date", "DueDate", "LineAmountTypes", "InvoiceNumber",
    "Reference", "CurrencyCode", "Status", "SubTotal", "TotalTax", "Total", "InvoiceID", "Payments",
    "AmountDue", "AmountPaid", "AmountCredited", "UpdatedDateUTC", "Attachments", "LineItemID",
    "Description", "Quantity", "UnitAmount", "AccountCode", "TaxType", "TaxAmount", "LineAmount",
    "DiscountAmount", "ContactID", "Name", "EmailAddress", "TaxNumber", "Amount", "PaymentID",
    "AttachmentID", "FileName", "MimeType", "Url", "CurrencyRate", "FullyPaidOnDate",
    "ExpectedPaymentDate", "PlannedPaymentDate", "CISDeduction", "HasAttachments", "DiscountRate",
    "ItemCode", "Item", "Tracking", "Option",
  ]

  private static func generator(_ specification: OpenAPI) -> SchemaGenerator {
    SchemaGenerator(specification: specification, interesting: read) { _, _, schema, random in
      guard schema["x-is-msdate"]?.isTrue == true || schema["x-is-msdate-time"]?.isTrue == true
      else { return nil }
      let day = CalendarDate(SchemaGenerator.day(&random))?.daysSinceEpoch ?? 0
      let isDay = schema["x-is-msdate"]?.isTrue == true
      let milliseconds = day * 86_400_000 + (isDay ? 0 : random.below(86_400_000))
      return .text(
        "/Date(\(milliseconds)\(random.one(of: ["", "+0000", "+1300"])))/")
    }
  }

  // Edge case 51
  @Test("invoices that Xero's schema allows are stored as they were sent", arguments: Seeds.all)
  func stored(seed: UInt64) async throws {
    let generator = Self.generator(try Self.specification.get())
    var random = SeededRandom(seed: seed)
    var rows: [Node] = []
    for _ in 0..<150 {
      var sent = generator.object("Invoice", &random)
      // Xero's schema requires nothing; its servers send these with each invoice.
      sent["InvoiceID"] = .text(SchemaGenerator.uuid(&random))
      sent["UpdatedDateUTC"] = .text("/Date(\(1_700_000_000_000 + random.below(1_000_000)))/")
      for key in ["Type", "Status", "CurrencyCode"] where sent[key] == nil {
        sent[key] = .text(["Type": "ACCREC", "Status": "PAID", "CurrencyCode": "NZD"][key] ?? "")
      }
      if sent["Total"] == nil { sent["Total"] = .number(SchemaGenerator.decimal(&random)) }
      rows.append(sent)
    }
    let url = try #require(URL(string: "https://xero.test"))
    let books = WrittenBooks(
      provider: "xero", seed: seed, feed: XeroFeed(XeroInvoices.self, baseURL: url),
      server: { rows, json in
        let list = json(.list(rows))
        return WrittenServer { path, query in
          switch path {
          case "/connections":
            #"[{"tenantId":"b3ee0ad1-8e0b-4c06-8b6d-f1fb1f4b4b2f","tenantType":"ORGANISATION"}]"#
          default:
            """
            {"pagination":{"page":1,"pageSize":250,"pageCount":1,"itemCount":\(rows.count)},
            "Invoices":\(query["page"] == "1" ? list : "[]")}
            """
          }
        }
      }, reading: XeroReading.invoice)
    try await books.check(rows)
  }

  private static let specification = Result {
    OpenAPI(try Vendors.yaml("xero_accounting.yaml"))
  }
}

/// The meaning of an invoice of Xero, read without the package's reader.
enum XeroReading {
  static func invoice(_ sent: Node) -> Invoice? {
    guard let id = sent.filled("InvoiceID"), let total = sent.decimal("Total"),
      let currency = sent.filled("CurrencyCode").flatMap(Currency.init(code:)),
      let status = sent.filled("Status"), let type = type(sent.filled("Type") ?? "")
    else { return nil }
    let settled = ["AmountPaid", "AmountCredited"].contains {
      sent.decimal($0).map { !$0.isZero } ?? false
    }
    let statuses: [String: InvoiceStatus] = [
      "DRAFT": .draft, "SUBMITTED": .scheduled, "DELETED": .deleted, "PAID": .paid,
      "VOIDED": .void, "AUTHORISED": settled ? .partiallyPaid : .open,
    ]
    let contact = sent["Contact"] ?? .null
    var invoice = Invoice(
      id: id, number: sent.filled("InvoiceNumber"), type: type,
      status: statuses[status] ?? .unknown, rawStatus: status,
      contact: Party(
        id: contact.filled("ContactID"), name: contact.filled("Name"),
        email: contact.filled("EmailAddress"), taxNumber: contact.filled("TaxNumber")),
      currency: currency, issueDate: day(sent["Date"]), dueDate: day(sent["DueDate"]),
      updatedAt: milliseconds(sent["UpdatedDateUTC"]).flatMap {
        Timestamp(millisecondsSinceEpoch: $0)
      },
      subtotal: sent.decimal("SubTotal"), totalTax: sent.decimal("TotalTax"), total: total,
      amountPaid: sent.decimal("AmountPaid"), amountCredited: sent.decimal("AmountCredited"),
      amountDue: sent.decimal("AmountDue"), reference: sent.filled("Reference"))
    invoice.linesIncludeTax = sent.filled("LineAmountTypes").map { $0 == "Inclusive" }
    invoice.home.inverseExchangeRate = sent.decimal("CurrencyRate")
    invoice.paidDate = day(sent["FullyPaidOnDate"])
    invoice.expectedPaymentDate =
      day(sent["ExpectedPaymentDate"]) ?? day(sent["PlannedPaymentDate"])
    invoice.withheldAmount = sent.decimal("CISDeduction")
    invoice.hasAttachments = sent["HasAttachments"].map(\.isTrue)
    let codes = sent.list("LineItems").compactMap { $0.filled("TaxType") }
    if codes.contains(where: { $0.hasPrefix("DRCHARGE") || $0 == "REVERSECHARGES" }) {
      invoice.isReverseCharge = true
    }
    invoice.lines = sent.list("LineItems").map { row in
      var line = InvoiceLine(
        id: row.filled("LineItemID"), description: row.filled("Description"),
        quantity: row.decimal("Quantity"), unitAmount: row.decimal("UnitAmount"),
        taxType: row.filled("TaxType"), taxAmount: row.decimal("TaxAmount"),
        lineAmount: row.decimal("LineAmount"), accountCode: row.filled("AccountCode"))
      line.discountAmount = row.decimal("DiscountAmount")
      line.discountRate = row.decimal("DiscountRate")
      (line.itemCode, line.itemName) = (row.filled("ItemCode"), row["Item"]?.filled("Name"))
      let classes = row.list("Tracking").compactMap { tracking in
        tracking.filled("Option").map { option in
          tracking.filled("Name").map { $0 + ": " + option } ?? option
        }
      }
      line.tracking = classes.isEmpty ? nil : classes.joined(separator: "; ")
      return line
    }
    // A payment of an unknown amount is none of nothing.
    invoice.payments = sent.list("Payments").compactMap { row in
      row.decimal("Amount").map { amount in
        InvoicePayment(
          id: row.filled("PaymentID"), date: day(row["Date"]), amount: amount,
          reference: row.filled("Reference"))
      }
    }
    invoice.attachments = sent.list("Attachments").map { row in
      AttachmentReference(
        id: row.filled("AttachmentID"), fileName: row.filled("FileName"),
        mediaType: row.filled("MimeType"), url: row.filled("Url"),
        size: row["ContentLength"]?.digits.flatMap { Int64($0) })
    }
    return invoice
  }

  /// The type of a document; overpayments and prepayments are money and no documents.
  private static func type(_ word: String) -> InvoiceType? {
    switch word {
    case "ACCREC": .invoice
    case "ACCPAY": .bill
    case "ACCRECCREDIT": .creditNote
    case "ACCPAYCREDIT": .billCredit
    default: nil
    }
  }

  private static func milliseconds(_ date: Node?) -> Int64? {
    date?.string.flatMap { $0.firstMatch(of: /-?\d+/) }.flatMap { Int64($0.output) }
  }

  private static func day(_ date: Node?) -> CalendarDate? {
    milliseconds(date).flatMap { CalendarDate(daysSinceEpoch: Int($0 / 86_400_000)) }
  }
}
