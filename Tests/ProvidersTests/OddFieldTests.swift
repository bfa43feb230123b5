import Foundation
import JSONReading
import Models
import Sync
import Testing

@testable import Providers

/// Every member of a row of every built-in list, in turn absent, empty, of another type, an unknown
/// word or no date.
///
/// The rows are those of the sample pages, so that a new field is covered once a page has it.
@Suite(.timeLimit(.minutes(10))) struct OddFieldTests {
  /// One of the lists, with a page as a server sends it.
  struct List: Sendable, CustomTestStringConvertible {
    /// The page: a folder and a file of the corpus.
    let page: String
    /// The keys that lead to the rows.
    let rows: [String]
    let id: String
    /// The members without which a row is unreadable, and what is in them.
    let required: [String]
    let read: @Sendable ([UInt8]) throws -> (records: [any FieldListing], failures: [RowFailure])

    var testDescription: String { page }
  }

  private static let stripe = StripeCursor(
    accountID: "acct_1", onBehalfOf: nil, step: .list,
    since: Timestamp(microsecondsSinceEpoch: 0))

  private static let lists = [
    List(
      page: "xero-invoices/page.json", rows: ["Invoices"], id: "InvoiceID",
      required: ["InvoiceID", "Type", "CurrencyCode", "Total", "UpdatedDateUTC"]
    ) { body in
      let page = try XeroPage<XeroInvoices>(body, capacity: 2)
      return (page.records, page.failures)
    },
    List(
      page: "xero-contacts/page.json", rows: ["Contacts"], id: "ContactID",
      required: ["ContactID", "UpdatedDateUTC"]
    ) { body in
      let page = try XeroPage<XeroContacts>(body, capacity: 2)
      return (page.records, page.failures)
    },
    List(
      page: "quickbooks-invoices/page.json", rows: ["QueryResponse", "Invoice"], id: "Id",
      required: ["Id", "TotalAmt", "CurrencyRef", "MetaData"]
    ) { body in
      let page = try QuickBooksPage<QuickBooksInvoices>(body, of: .invoice, homeCurrency: nil)
      return (page.records, page.failures)
    },
    List(
      page: "stripe-invoices/page.json", rows: ["data"], id: "id",
      required: ["id", "currency", "total", "lines.data", "lines.has_more"]
    ) { body in
      let page = try StripePage<StripeInvoices>(body).page(at: stripe)
      return (page.records, page.failures)
    },
    List(
      page: "square-invoices/page.json", rows: ["invoices"], id: "id",
      required: ["id", "payment_requests"]
    ) { body in
      let page = try SquarePage(body)
      return (page.invoices, page.failures)
    },
    List(page: "square-orders/orders.json", rows: ["orders"], id: "id", required: ["id"]) { body in
      var orders = SquareOrders()
      try orders.add(body)
      let sample = try #require(
        try SquarePage(
          Array(
            """
            {"invoices":[{"id":"1","payment_requests":[{"computed_amount_money":
            {"amount":1000,"currency":"USD"}}]}]}
            """.utf8)
        ).invoices.first)
      var (records, failures): ([any FieldListing], [RowFailure]) = ([], [])
      for id in ["odd", "sound"] {
        switch orders[id] {
        case .order(let order)?:
          var invoice = order.completing(sample, in: .gmt)
          invoice.reference = invoice.reference ?? id
          records.append(invoice)
        case .unreadable(let failure)?: failures.append(failure)
        case nil: failures.append(RowFailure(id: id, path: "id", reason: "missing"))
        }
      }
      return (records, failures)
    },
    List(
      page: "moneybird-invoices/page.json", rows: [], id: "id",
      required: ["id", "currency", "total_price_incl_tax"]
    ) { body in
      let page = try MoneybirdPage<MoneybirdInvoices>(body, sentAt: nil)
      return (page.records, page.failures)
    },
    List(
      page: "moneybird-external-invoices/page.json", rows: [], id: "id",
      required: ["id", "currency", "total_price_incl_tax"]
    ) { body in
      let page = try MoneybirdPage<MoneybirdExternalInvoices>(body, sentAt: nil)
      return (page.records, page.failures)
    },
    List(
      page: "moneybird-purchase-invoices/page.json", rows: [], id: "id",
      required: ["id", "currency", "total_price_incl_tax"]
    ) { body in
      let page = try MoneybirdPage<MoneybirdPurchaseInvoices>(body, sentAt: nil)
      return (page.records, page.failures)
    },
    List(
      page: "quickbooks-contacts/page.json", rows: ["QueryResponse", "Customer"], id: "Id",
      required: ["Id", "MetaData"]
    ) { body in
      let page = try QuickBooksPage<QuickBooksContacts>(body, of: .customer, homeCurrency: nil)
      return (page.records, page.failures)
    },
    List(
      page: "stripe-customers/page.json", rows: ["data"], id: "id", required: ["id"]
    ) { body in
      let page = try StripePage<StripeCustomers>(body).page(at: stripe)
      return (page.records, page.failures)
    },
    List(
      page: "square-customers/page.json", rows: ["customers"], id: "id", required: ["id"]
    ) { body in
      let page = try SquareCustomersPage(body)
      return (page.contacts, page.failures)
    },
    List(page: "moneybird-contacts/page.json", rows: [], id: "id", required: ["id"]) { body in
      let page = try MoneybirdPage<MoneybirdContacts>(body, sentAt: nil)
      return (page.records, page.failures)
    },
  ]

  /// The values that replace each member, as JSON; `nil` removes it.
  private static let odd: [String?] =
    [
      nil, "null", #""""#, #"" \t""#, "false", "true", "0", "7", "-1.5", "1e400", #""7""#,
      #""UNHEARD""#, #""\ud83d""#, "{}", "[]", #"[{}]"#, #"["x"]"#, #"{"amount":5}"#,
    ] + noDates.flatMap { ["\"\($0)\"", "\"\($0)T00:00:00\""] }

  private static let noDates = [
    "0000-00-00", "-0001-11-30", "0001-01-01", "1899-12-30", "1900-01-01", "9999-12-31",
  ]

  // Edge case 51
  @Test(
    "an odd value in one field costs that field, and neither its row nor another", arguments: lists)
  func everyField(list: List) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let body = try Data(contentsOf: folder.appending(path: "Fuzzing/Corpus/\(list.page)"))
    var row = try JSONSerialization.jsonObject(with: body)
    for key in list.rows { row = try #require((row as? [String: Any])?[key]) }
    var sound = try #require((row as? [[String: Any]])?.first)
    var members = sound
    (members[list.id], sound[list.id]) = ("odd", "sound")
    let other = try text(of: sound)
    #expect(try read(list, try text(of: members), other).records.count == 2)

    for path in paths(in: members) {
      let name = path.filter { !$0.hasPrefix("[") }.joined(separator: ".")
      let isRequired = list.required.contains {
        name == $0 || name.hasPrefix($0 + ".") || $0.hasPrefix(name + ".")
      }
      for value in Self.odd {
        let place = "\(list.page) \(path.joined(separator: ".")) → \(value ?? "absent")"
        let changed = try text(of: replacing(path[...], in: members)).replacing(
          "\"\(Self.mark)\"", with: value ?? "null")
        let odd = value == nil ? try text(of: removing(path[...], in: members)) : changed
        let found: (records: [any FieldListing], failures: [RowFailure])
        do {
          found = try read(list, odd, other)
        } catch {
          Issue.record("\(place): \(error)")
          continue
        }
        #expect(found.records.count + found.failures.count == 2, "\(place)")
        #expect(isRequired || found.failures.isEmpty, "\(place): \(found.failures)")
        for record in found.records {
          for value in FieldValues(of: record).values {
            guard let text = value.text else { continue }
            let isWord = value.field == "rawStatus"
            #expect(isWord || !text.isBlank, "\(place): \(value.field)")
            let isDate = value.field.lowercased().hasSuffix("date")
            #expect(!isDate || !Self.noDates.contains(text), "\(place): \(value.field)")
          }
        }
      }
    }
  }

  @Test(
    "money on account among Xero's invoices is skipped, and a type that Xero lacks is reported",
    arguments: [
      ("ACCREC", 1, 0), ("ACCPAY", 1, 0), ("ACCRECCREDIT", 1, 0), ("ACCPAYCREDIT", 1, 0),
      ("APOVERPAYMENT", 0, 0), ("APPREPAYMENT", 0, 0), ("AROVERPAYMENT", 0, 0),
      ("ARPREPAYMENT", 0, 0), ("UNHEARD", 0, 1),
    ])
  func types(type: String, records: Int, failures: Int) throws {
    let row = """
      {"InvoiceID":"a","Type":"\(type)","CurrencyCode":"EUR","Total":1,
      "UpdatedDateUTC":"/Date(1587912334083+0000)/"}
      """
    let page = try XeroPage<XeroInvoices>(Array(#"{"Invoices":[\#(row)]}"#.utf8), capacity: 1)
    #expect(page.records.count == records && page.failures.count == failures)
    // A skipped row is a row of its page, by which the next page is found.
    #expect(page.count == 1)
  }

  @Test("an amount of a Square invoice that names no currency has that of the others")
  func currency() throws {
    let body = """
      {"invoices":[{"id":"a","payment_requests":[
      {"computed_amount_money":{"amount":1000,"currency":"USD"},
      "total_completed_amount_money":{"amount":400}}]},
      {"id":"b","payment_requests":[{"computed_amount_money":{"amount":1000}}]}]}
      """
    let page = try SquarePage(Array(body.utf8))
    #expect(page.invoices.map(\.amountPaid?.description) == ["4.00"])
    #expect(page.failures.map(\.path) == ["payment_requests"])
  }

  private static let mark = "THE ODD VALUE"

  private func text(of value: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
  }

  private func read(
    _ list: List, _ odd: String, _ sound: String
  ) throws -> (records: [any FieldListing], failures: [RowFailure]) {
    let page = list.rows.reversed().reduce("[\(odd),\(sound)]") { #"{"\#($1)":\#($0)}"# }
    // Stripe's list says whether it goes on; the lists of lines in its rows say it themselves.
    let whole = page.replacing(
      #"{"data":["#, with: #"{"has_more":false,"data":["#, maxReplacements: 1)
    return try list.read(Array(whole.utf8))
  }

  /// The paths of all members, with the first element of each array.
  private func paths(in value: Any) -> [[String]] {
    switch value {
    case let members as [String: Any]:
      members.sorted { $0.key < $1.key }.flatMap { key, value in
        [[key]] + paths(in: value).map { [key] + $0 }
      }
    case let elements as [Any]:
      elements.first.map { first in [["[0]"]] + paths(in: first).map { ["[0]"] + $0 } } ?? []
    default: []
    }
  }

  private func replacing(_ path: ArraySlice<String>, in value: Any) -> Any {
    guard let step = path.first else { return Self.mark }
    if var members = value as? [String: Any], let old = members[step] {
      members[step] = replacing(path.dropFirst(), in: old)
      return members
    }
    guard var elements = value as? [Any], let old = elements.first else { return value }
    elements[0] = replacing(path.dropFirst(), in: old)
    return elements
  }

  private func removing(_ path: ArraySlice<String>, in value: Any) -> Any {
    guard let step = path.first else { return value }
    if var members = value as? [String: Any], let old = members[step] {
      members[step] = path.count == 1 ? nil : removing(path.dropFirst(), in: old)
      return members
    }
    guard var elements = value as? [Any], let old = elements.first else { return value }
    if path.count == 1 {
      elements.removeFirst()
    } else {
      elements[0] = removing(path.dropFirst(), in: old)
    }
    return elements
  }
}
