import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Testing

@testable import Providers
@testable import Sandbox

/// The requests of the built-in providers, held against what the vendors publish.
///
/// Moneybird's description may not be copied, so there is none of it.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: Vendors.isThere, "\(Vendors.absence)"))
struct RequestTests {
  /// Requires that each request is allowed, and that requests of all kinds were sent.
  private func check(
    _ requests: [Request], kinds: Set<String>, violations: (Request) -> [String]
  ) {
    var seen: Set<String> = []
    for request in requests {
      let path = request.url.path(percentEncoded: false)
      let names = path.split(separator: "/").map { part in
        part.contains { $0.isNumber } && part.count > 4 ? "*" : "\(part)"
      }
      seen.insert(request.method.rawValue + " " + names.joined(separator: "/"))
      let query = request.url.query(percentEncoded: false) ?? ""
      for violation in violations(request) {
        Issue.record("\(request.method.rawValue) \(path)?\(query): \(violation)")
      }
    }
    #expect(seen == kinds)
  }

  @Test("every request to Xero is in its specification")
  func xero() async throws {
    let accounting = OpenAPI(try Vendors.yaml("xero_accounting.yaml"), prefix: "/api.xro/2.0")
    let identity = OpenAPI(try Vendors.yaml("xero-identity.yaml"))
    let recorded = try await RecordedRequests(
      of: XeroProvider(), played: .xero
    ) { XeroFeed(XeroInvoices.self, baseURL: $0.baseURL, pageSize: 10) }
    check(
      recorded.requests,
      kinds: [
        "GET connections", "GET api.xro/2.0/Invoices", "GET api.xro/2.0/CreditNotes",
        "GET api.xro/2.0/Payments", "GET api.xro/2.0/Prepayments", "GET api.xro/2.0/Overpayments",
        "GET api.xro/2.0/Contacts", "GET api.xro/2.0/TaxRates", "GET api.xro/2.0/Accounts",
      ]
    ) { request in
      // The specification writes `/Connections`, and the guides write `/connections`.
      if request.url.path() == "/connections" {
        return identity.violations(of: request, ignoringCase: true)
      }
      // Neither of these has pages.
      if ["TaxRates", "Accounts"].contains(request.url.lastPathComponent) {
        return accounting.violations(of: request)
      }
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      let list = String(request.url.lastPathComponent.dropLast())
      let order = items.first { $0.name == "order" }?.value ?? ""
      let size = items.first { $0.name == "pageSize" }?.value.flatMap { Int($0) } ?? 0
      return accounting.violations(of: request)
        + (accounting.schema(list)["properties"]?[order] == nil ? ["it orders by \(order)"] : [])
        // https://developer.xero.com/documentation/api/accounting/invoices/#get-invoices
        + ((1...1_000).contains(size) ? [] : ["a page of \(size)"])
    }
  }

  @Test("every request to Stripe is in its specification")
  func stripe() async throws {
    let specification = OpenAPI(try Vendors.json("stripe-spec3-2023-08-16.json"))
    let recorded = try await RecordedRequests(
      of: StripeProvider(), played: .stripe
    ) { StripeFeed(StripeInvoices.self, baseURL: $0.baseURL, pageSize: 9) }
    // It is sent only if no invoice shows whether the key is live.
    let url = try #require(URL(string: "https://stripe.test"))
    let balance = try StripeRequests(baseURL: url, pageSize: 100).balance(nil)
    check(
      recorded.requests + [balance],
      kinds: [
        "GET v1/account", "GET v1/balance", "GET v1/invoices", "GET v1/events",
        "GET v1/invoices/*", "GET v1/invoices/*/lines", "GET v1/customers", "GET v1/customers/*",
        "GET v1/credit_notes",
      ]
    ) { request in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      let path = request.url.path(percentEncoded: false)
      // https://docs.stripe.com/api/versioning, https://docs.stripe.com/connect/authentication
      return specification.violations(of: request, fields: ["stripe-version", "stripe-account"])
        + items.filter { $0.name == "expand[]" }.compactMap(\.value)
        .filter { !specification.isExpandable($0, "GET", path) }.map { "\($0) cannot be expanded" }
    }
  }

  @Test("every request to Square is in its specification, and its scopes permit it")
  func square() async throws {
    let root = try Vendors.json("square-api.json")
    let specification = OpenAPI(root)
    let versions = Set(
      (root["x-fern-global-headers"]?.elements ?? []).compactMap { $0["header"]?.string })
    #expect(versions == ["Square-Version"])
    let recorded = try await RecordedRequests(
      of: SquareProvider(), played: .square
    ) { SquareFeed(baseURL: $0.baseURL, pageSize: 10) }
    let scopes = Set(SquareProvider().profile.scopes)
    check(
      recorded.requests,
      kinds: [
        "GET v2/locations", "GET v2/invoices", "POST v2/orders/batch-retrieve",
        "POST v2/customers/search",
      ]
    ) { request in
      let operation = specification.operation(
        request.method.rawValue, request.url.path(percentEncoded: false))?.operation
      let needed = (operation?["security"]?.elements ?? []).map {
        Set($0["oauth2"]?.elements.compactMap(\.string) ?? [])
      }
      return specification.violations(
        of: request, fields: Set(versions.map { $0.lowercased() }))
        + (needed.contains { $0.isSubset(of: scopes) } ? [] : ["it needs the scopes \(needed)"])
        + ((request.fields[HTTPField.Name("Square-Version") ?? .accept] == "2025-08-20")
          ? [] : ["its version is another one than the specification's"])
    }
  }

  @Test("every request for a file is in the vendor's specification")
  func files() throws {
    let xero = OpenAPI(try Vendors.yaml("xero_accounting.yaml"), prefix: "/api.xro/2.0")
    let stripe = OpenAPI(try Vendors.json("stripe-spec3-2023-08-16.json"))
    let schema = try QuickBooksSchema.read()
    let url = try #require(URL(string: "https://vendor.test"))
    let context = ProviderContext(account: "default", baseURL: url, tenantID: "42")
    for type in InvoiceType.allCases {
      var invoice = Invoice(
        id: "9808ad7f-c8d4-41cf-995e-bc29cb76fd2c", type: type, status: .open, rawStatus: "",
        currency: try #require(Currency(code: "EUR")), total: .zero)
      invoice.hasAttachments = true
      let attachment = Documents.Attachment(id: invoice.id, mediaType: "image/png")
      let files = try #require(XeroProvider().documents(in: context))
      var requests = [
        try files.place(of: attachment, of: invoice), try files.place(of: .pdf, of: invoice),
      ].map(\.request)
      if case .request(let list, _) = try files.attachments(of: invoice) { requests.append(list) }
      #expect(requests.count == 3)
      for request in requests { #expect(xero.violations(of: request) == []) }
      let pdf = try #require(StripeProvider().documents(in: context)).place(of: .pdf, of: invoice)
      #expect(
        stripe.violations(of: pdf.request, fields: ["stripe-version", "stripe-account"]) == [])
    }
    let list = try #require(QuickBooksProvider().documents(in: context)?.wholeAttachmentList)
    let items = URLComponents(url: list.first.url, resolvingAgainstBaseURL: true)?.queryItems
    let query = items?.first { $0.name == "query" }?.value ?? ""
    #expect(QuickBooksSchema.faults(inQuery: query, schema) == [])
    #expect(query.hasPrefix("select * from Attachable "))
  }

  @Test("a request outside a specification is reported")
  func refused() throws {
    func request(_ address: String) throws -> Request {
      try Request(url: try #require(URL(string: "https://vendor.test" + address)))
    }
    let stripe = OpenAPI(try Vendors.json("stripe-spec3-2023-08-16.json"))
    #expect(
      stripe.violations(of: try request("/v1/invoices?limit=101&expand[]=data.lines")).count == 1)
    #expect(stripe.violations(of: try request("/v1/invoices?since=1&status=unpaid")).count == 2)
    #expect(stripe.violations(of: try request("/v1/invoices?created[after]=1")).count == 2)
    #expect(stripe.violations(of: try request("/v1/bills")).count == 1)
    #expect(!stripe.isExpandable("data.total", "GET", "/v1/invoices"))
    let square = OpenAPI(try Vendors.json("square-api.json"))
    #expect(square.violations(of: try request("/v2/invoices?limit=201")).count == 2)
    let orders = try Request(
      url: try #require(URL(string: "https://vendor.test/v2/orders/batch-retrieve")),
      fields: [.acceptLanguage: "en"],
      json: ["order_ids": (0...100).map { "order \($0)" }, "orders": []])
    #expect(square.violations(of: orders).count == 3)
    let schema = try QuickBooksSchema.read()
    for query in [
      "select * from Invoices", "select * from Invoice where MetaData.Updated >= '2026-01-01'",
      "select * from Bill orderby TxnDay", "select * from Bill maxresults 1001",
    ] { #expect(QuickBooksSchema.faults(inQuery: query, schema).count == 1) }
  }

  @Test("every request to QuickBooks names entities and properties of its schema")
  func quickbooks() async throws {
    let schema = try QuickBooksSchema.read()
    let recorded = try await RecordedRequests(
      of: QuickBooksProvider(), played: .quickbooks, organisation: \.tenantIDs.first
    ) {
      QuickBooksFeed(
        QuickBooksInvoices.self, baseURL: $0.baseURL, realmID: $0.tenantID, pageSize: 10)
    }
    check(
      recorded.requests,
      kinds: ["GET v3/company/*/query", "GET v3/company/*/cdc", "POST v3/company/*/batch"]
    ) { request in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      var found: [String] = []
      for item in items {
        let value = item.value ?? ""
        switch item.name {
        case "query": found += QuickBooksSchema.faults(inQuery: value, schema)
        case "entities":
          found += value.split(separator: ",").map(String.init)
            .filter { schema.objects[$0] == nil && !QuickBooksSchema.names.contains($0) }
            .map { "there is no entity \($0)" }
        case "changedSince":
          if (try? Date(value, strategy: .iso8601)) == nil {
            found.append("\(value) is no instant")
          }
        // https://blogs.intuit.com/2025/01/21/changes-to-our-accounting-api: 75 since August 2025.
        case "minorversion": if value != "75" { found.append("version \(value)") }
        default: found.append("there is no parameter \(item.name)")
        }
      }
      guard let value = request.json else { return found }
      let requests = value["BatchItemRequest"]?.elements ?? []
      // https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/batch
      if value.members.count != 1 || !(1...30).contains(requests.count) {
        found.append("a batch of \(requests.count) requests")
      }
      let names = Set(schema.members(of: "BatchItemRequest").map(\.name))
      for request in requests {
        found += request.members.keys.filter { !names.contains($0) }.map { "there is no \($0)" }
        found += QuickBooksSchema.faults(inQuery: request["Query"]?.string ?? "", schema)
      }
      return found
    }
  }
}

/// Intuit's schema, which has the entities and no paths.
enum QuickBooksSchema {
  static func read() throws -> XMLSchema {
    XMLSchema(
      try ["IntuitBaseTypes.xsd", "Finance.xsd", "SalesTax.xsd", "IntuitRestServiceDef.xsd"].map {
        String(decoding: try Vendors.bytes($0), as: UTF8.self)
      })
  }

  /// The entities whose schema, `IntuitNamesTypes.xsd`, is not among the files.
  static let names: Set = ["Customer", "Vendor"]
  private static let everyone = "where Active in (true, false)"

  /// Returns what is wrong with a query.
  ///
  /// https://developer.intuit.com/app/developer/qbo/docs/learn/explore-the-quickbooks-online-api/data-queries
  static func faults(inQuery query: String, _ schema: XMLSchema) -> [String] {
    var words = query.replacing(everyone + " and", with: "where").replacing(everyone, with: "")
      .split(separator: " ").map(String.init)
    guard words.count >= 4, words[0] == "select", ["*", "count(*)"].contains(words[1]),
      words[2] == "from", schema.objects[words[3]] != nil || names.contains(words[3])
    else { return ["it is no query of an entity"] }
    if names.contains(words[3]) {
      // What has a status besides being there is listed without its inactive ones otherwise.
      guard query.contains(everyone) else { return ["it leaves inactive ones out"] }
      // Both have these members from the base of all entities.
      words[3] = "Invoice"
    }
    var found: [String] = []
    var rest = words[4...]
    while let word = rest.popFirst() {
      let operand = rest.popFirst() ?? ""
      switch word {
      case "where":
        let comparison = rest.popFirst() ?? ""
        let value = rest.popFirst() ?? ""
        if !["=", "<", ">", "<=", ">=", "in", "like"].contains(comparison) {
          found.append("there is no comparison \(comparison)")
        }
        if value.first != "'" || value.last != "'" { found.append("\(value) is not quoted") }
        fallthrough
      case "orderby":
        if !schema.hasPath(operand, in: words[3]) { found.append("there is no \(operand)") }
      case "startposition":
        if (Int(operand) ?? 0) < 1 { found.append("a start at \(operand)") }
      case "maxresults":
        if !(1...1_000).contains(Int(operand) ?? 0) { found.append("\(operand) results") }
      default: found.append("there is no clause \(word)")
      }
    }
    return found
  }
}

extension DocumentPlace {
  fileprivate var request: Request {
    switch self {
    case .file(let request), .link(let request, _): request
    }
  }
}
