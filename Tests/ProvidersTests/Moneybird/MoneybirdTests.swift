import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Moneybird's lists of versions and its invoices, in replies as its documentation has them.
@Suite(.timeLimit(.minutes(10))) struct MoneybirdTests {
  private static func feed(_ administration: String? = nil) throws -> MoneybirdFeed<
    MoneybirdInvoices
  > {
    MoneybirdFeed(
      MoneybirdInvoices.self, baseURL: try #require(URL(string: "https://moneybird.test")),
      administrationID: administration
    )
  }

  private static func page(
    _ body: String, date: String? = nil
  ) throws -> Page<[Invoice], MoneybirdCursor> {
    var fields: HTTPFields = [:]
    if let date { fields[.date] = date }
    let response = Response(
      head: HTTPResponse(status: .ok, headerFields: fields), body: Array(body.utf8),
      url: try #require(URL(string: "https://moneybird.test/")))
    return try feed().page(response, at: MoneybirdCursor(administrationID: "123"))
  }

  private static func invoice(_ fields: String) throws -> Invoice {
    let page = try page(
      """
      [{"id":"1","state":"open","currency":"EUR","total_price_incl_tax":"121.0",\(fields)}]
      """)
    #expect(page.failures == [])
    return try #require(page.records.first)
  }

  @Test("an invoice is read field by field, every amount to its last digit")
  func fields() throws {
    let page = try Self.page(MoneybirdSamples.invoice)
    #expect(page.failures == [] && page.versions == [] && page.next == nil)
    let invoice = try #require(page.records.first)
    #expect(invoice.id == "496081512464123498" && invoice.number == "2026-0003")
    #expect(invoice.type == .invoice && invoice.status == .partiallyPaid)
    #expect(invoice.rawStatus == "reminded" && invoice.currency.code == "EUR")
    #expect(
      invoice.contact
        == Party(
          id: "496081512070907462", name: "Foobar Holding B.V.", email: "info@foobar.test",
          taxNumber: "NL001234567B01",
          address: PostalAddress(
            lines: ["Hoofdstraat 12"], city: "Amsterdam", postalCode: "1234 AB", country: "NL")))
    #expect(invoice.issueDate?.description == "2026-08-21")
    #expect(invoice.dueDate?.description == "2026-09-04")
    #expect(invoice.updatedAt?.description == "2026-08-21T13:50:19.129Z")
    #expect(invoice.version == 1_787_320_219 && page.newest == invoice.updatedAt)
    #expect(invoice.subtotal?.description == "300.10" && invoice.total.description == "363.12")
    #expect(invoice.totalTax?.description == "63.02")
    #expect(invoice.amountPaid?.description == "100.00")
    #expect(invoice.amountCredited?.description == "20.0")
    #expect(invoice.amountDue?.description == "243.12")
    #expect(invoice.reference == "Project X" && invoice.linesIncludeTax == false)
    let line = try #require(invoice.lines.first)
    #expect(line.id == "496081512467269227" && line.description == "Advice, with \"notes\"")
    #expect(line.quantity?.description == "1.5" && line.unitAmount?.description == "200.0667")
    #expect(line.lineAmount?.description == "300.10" && line.taxType == "496081347565061258")
    #expect(line.accountCode == "496081347348006010")
    let tax = try #require(invoice.taxBreakdown.first)
    #expect(tax.name == "496081347565061258" && tax.taxAmount.description == "63.02")
    #expect(tax.taxableAmount?.description == "300.10")
    #expect(invoice.payments.map(\.id) == ["77"])
    #expect(invoice.payments.first?.date?.description == "2026-08-30")
    #expect(invoice.payments.first?.reference == "bank-1")
    #expect(
      invoice.attachments
        == [
          AttachmentReference(
            id: "88", fileName: "hours.pdf", mediaType: "application/pdf", size: 4)
        ])
    #expect(invoice.arithmeticFindings == [])
  }

  @Test("a list of versions is read, identifiers as texts or numbers")
  func versions() throws {
    let page = try Self.page(
      #"[{"id":"496081515700029200","version":1787320222},{"id":7,"version":1},{"version":null,"id":"8"}]"#
    )
    #expect(page.records == [])
    #expect(
      page.versions == [
        RecordVersion(id: "496081515700029200", order: 1_787_320_222),
        RecordVersion(id: "7", order: 1), RecordVersion(id: "8", order: nil),
      ])
    #expect(try Self.page("[]").versions == [])
  }

  @Test(
    "each state is known, and a new one keeps its name",
    arguments: [
      ("draft", InvoiceStatus.draft), ("scheduled", .scheduled), ("open", .open),
      ("pending_payment", .open), ("late", .open), ("reminded", .open), ("paid", .paid),
      ("uncollectible", .writtenOff), ("archived", .unknown),
    ])
  func states(state: String, status: InvoiceStatus) throws {
    let page = try Self.page(
      """
      [{"id":"1","state":"\(state)","currency":"EUR","total_price_incl_tax":"1.0","total_paid":"0.0"}]
      """)
    #expect(page.records.first?.status == status && page.records.first?.rawStatus == state)
  }

  @Test("a person is a contact as well as a company, and invoices may go to another address")
  func people() throws {
    let person = try Self.invoice(
      #""contact":{"id":3,"company_name":"","firstname":"Ada","lastname":"Smit","send_invoices_to_email":"a@x.test"}"#
    )
    #expect(person.contact == Party(id: "3", name: "Ada Smit", email: "a@x.test"))
    let half = try Self.invoice(#""contact":{"firstname":null,"lastname":"Smit"},"contact_id":"9""#)
    #expect(half.contact == Party(id: "9", name: "Smit"))
    #expect(try Self.invoice(#""contact":null"#).contact == Party())
  }

  @Test("a draft has no number, and may have no day")
  func draft() throws {
    let draft = try Self.invoice(
      #""invoice_id":null,"draft_id":12,"invoice_date":null,"due_date":"2026-09-04""#)
    #expect(draft.number == nil && draft.issueDate == nil)
  }

  @Test("sums of lines are without tax, even if prices include it")
  func inclusive() throws {
    let invoice = try Self.invoice(
      """
      "prices_are_incl_tax":true,"total_price_excl_tax":"100.0",
      "details":[{"price":"121.0","amount_decimal":"1.0","total_price_excl_tax_with_discount":"100.0"}]
      """)
    #expect(invoice.linesIncludeTax == nil && invoice.arithmeticFindings == [])
    #expect(invoice.lines.first?.unitAmount?.description == "121.0")
  }

  @Test("an invoice with a total below zero is a credit note, and keeps the signs that were sent")
  func credit() throws {
    let page = try Self.page(
      """
      [{"id":"1","invoice_id":"2026-0005","state":"paid","currency":"EUR",
      "original_sales_invoice_id":"496081512464123498","original_estimate_id":null,
      "details":[{"id":"2","amount":"1 x","amount_decimal":"1.0","price":"-300.0",
      "total_price_excl_tax_with_discount":"-300.0"}],"total_price_excl_tax":"-300.0",
      "total_price_incl_tax":"-363.0","total_paid":"-363.0","total_unpaid":"0.0"}]
      """)
    let credit = try #require(page.records.first)
    #expect(credit.type == .creditNote && credit.total.description == "-363.0")
    #expect(credit.lines.first?.lineAmount?.description == "-300.0")
    #expect(credit.totalTax?.description == "-63.0" && credit.arithmeticFindings == [])
  }

  @Test(
    "a positive total is an invoice, a negative one a credit note, and its original decides at zero",
    arguments: [
      ("-0.01", "null", InvoiceType.creditNote), ("0.0", "77", .creditNote),
      ("0.0", "null", .invoice),
      ("12.5", #""77""#, .invoice),
    ])
  func creditOrInvoice(total: String, original: String, type: InvoiceType) throws {
    let page = try Self.page(
      """
      [{"id":"1","state":"open","currency":"EUR","total_price_incl_tax":"\(total)",
      "original_sales_invoice_id":\(original)}]
      """)
    #expect(page.records.map(\.type) == [type])
  }

  // Edge cases 51 and 55
  @Test("an unreadable invoice fails with its name and path, and the others are kept")
  func failures() throws {
    func row(_ id: String, _ total: String, _ rest: String = "") -> String {
      #"{"id":"\#(id)","state":"open","currency":"EUR","total_price_incl_tax":\#(total)\#(rest)}"#
    }
    let page = try Self.page(
      "["
        + [
          row("a", #""90071992547409930.123456""#), row("b", #""12,50""#), row("c", "12.50"),
          row("d", "null"), row("e", "true"), row("f", #""1e400""#),
          row("g", #""1""#, #","details":[{},{"price":{}}]"#),
          row("h", #""1""#, #","updated_at":"yesterday""#), #"{"state":"open"}"#,
        ].joined(separator: ",") + "]")
    #expect(
      page.records.map(\.total.description) == ["90071992547409930.123456", "12.50", "1", "1"])
    #expect(page.failures.map(\.id) == ["b", "d", "e", "f", nil])
    #expect(
      page.failures.map(\.path) == [
        "total_price_incl_tax", "total_price_incl_tax", "total_price_incl_tax",
        "total_price_incl_tax", "id",
      ])
    #expect(throws: SyncError.self) { _ = try Self.page(#"{"error":"not a list"}"#) }
    #expect(throws: SyncError.self) { _ = try Self.page(#"[{"id":"1""#) }
  }

  @Test("a full reading requests every year, and one since an instant includes the instant")
  func requests() throws {
    let feed = try Self.feed()
    let all = try feed.request(at: MoneybirdCursor(administrationID: "123"))
    #expect(all.url.path() == "/api/v2/123/sales_invoices/synchronization.json")
    #expect(all.url.query(percentEncoded: false) == "filter=state:all,period:19000101..99991231")
    let since = try feed.request(
      at: MoneybirdCursor(administrationID: "123", since: Timestamp("2026-08-21T13:50:12.5Z")))
    #expect(
      since.url.query(percentEncoded: false)
        == "filter=state:all,period:19000101..99991231,updated_after:2026-08-21T13:50:11Z")
    let batch = try feed.request(for: ["1", "2"], at: MoneybirdCursor(administrationID: "123"))
    #expect(batch.method == .post && batch.isSafeToRetry && batch.url.query() == nil)
    #expect(batch.fields[.contentType] == "application/json")
    #expect(try feed.versions.batch == 100)
  }

  @Test("the administration is the only one or the named one; otherwise the user has to choose")
  func administrations() async throws {
    let one = #"[{"id":123,"name":"Parkietje B.V."}]"#
    let two = #"[{"id":"178732006888903010","name":"A"},{"id":123,"name":"Parkietje B.V."}]"#
    for (body, wanted, found) in [
      (one, nil, "123"), (two, "123", "123"), (two, nil, nil), (one, "9", nil), ("[]", nil, nil),
    ] as [(String, String?, String?)] {
      let replies = WrittenReplies { _, _ in .init(body) }
      let session = Session(
        name: "list", configuration: SessionConfiguration(), middleware: [replies],
        logger: .silent)
      let feed = try Self.feed(wanted)
      if let found {
        let cursor = try await feed.begin(.everything(known: nil), ask: session.ask(for: feed))
        #expect(feed.source(of: cursor) == "moneybird:" + found)
        // A known organisation is not fetched again.
        _ = try await feed.begin(.everything(known: cursor), ask: session.ask(for: feed))
        #expect(replies.requests == ["GET /api/v2/administrations.json"])
      } else {
        await #expect {
          _ = try await feed.begin(.everything(known: nil), ask: session.ask(for: feed))
        } throws: { error in
          guard case SyncError.organisationUnclear(let available) = error else { return false }
          return available.isEmpty == (body == "[]")
        }
      }
      await session.shutdown()
    }
  }
}
