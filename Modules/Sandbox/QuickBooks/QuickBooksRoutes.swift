import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of QuickBooks Online's accounting API that a sync needs.
///
/// Invoices that are deleted in the ledger are in no list; only `cdc` reports them.
struct QuickBooksRoutes: Sendable {
  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/v3/company/:realm/query") { request, context in
      answer(request, context) { rows, parameters in
        let query = try QuickBooksQuery(parameters["query"] ?? "")
        return QuickBooksEnvelope.answer(to: query, rows, state.links, at: Timestamp(Date()))
      }
    }
    router.post("/v3/company/:realm/batch") { request, context in
      let batch = try JSONDecoder().decode(
        QuickBooksBatch.self, from: Data(try await request.bodyText().utf8))
      return answer(request, context) { rows, _ in
        try QuickBooksEnvelope.answer(to: batch, rows, state.links, at: Timestamp(Date()))
      }
    }
    router.get("/v3/company/:realm/cdc") { request, context in
      answer(request, context) { rows, parameters in
        let now = Timestamp(Date())
        guard let since = parameters["changedSince"].flatMap(QuickBooksTime.instant),
          since >= now.adding(seconds: -30 * 86_400)
        else { throw QuickBooksQuery.Refused(code: 4_002, message: "changedSince is no such date") }
        let kinds = (parameters["entities"] ?? "").split(separator: ",").map(String.init)
        return QuickBooksEnvelope.changes(of: kinds, since: since, rows, state.links, at: now)
      }
    }
    addDocuments(to: router)
  }

  private func answer(
    _ request: Request, _ context: SandboxContext,
    _ body: (_ rows: [LedgerInvoice], FormParameters) throws -> [UInt8]
  ) -> Response {
    respond(request, context) { Response(json: try body($0.ledger.all, $1)) }
  }

  /// Checks token and company, then creates the response.
  func respond(
    _ request: Request, _ context: SandboxContext,
    _ body: (Tenant, FormParameters) throws -> Response
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else {
      return Response(json: QuickBooksEnvelope.unauthenticated, status: .unauthorized)
    }
    guard let tenant = tenants.first(where: { $0.id == context.parameters.get("realm") })
    else {
      return Response(
        json: QuickBooksEnvelope.fault(
          code: 3_100, "message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403",
          type: "AUTHORIZATION"),
        status: .forbidden)
    }
    do {
      return try body(tenant, try request.queryParameters())
    } catch let refused as QuickBooksQuery.Refused {
      return Response(
        json: QuickBooksEnvelope.fault(
          code: refused.code, refused.message, type: "ValidationFault"),
        status: .badRequest)
    } catch {
      return Response(
        json: QuickBooksEnvelope.fault(
          code: 4_000, "Error parsing query", type: "ValidationFault"),
        status: .badRequest)
    }
  }
}

/// The part of QuickBooks' query language that a sync needs: `select * from Invoice where
/// MetaData.LastUpdatedTime >= '…' orderby MetaData.LastUpdatedTime startposition 1 maxresults
/// 100`; of customers and vendors `where Active in (true, false)` as well.
struct QuickBooksQuery {
  struct Refused: Error {
    var code: Int
    var message: String
  }

  private(set) var isCount = false
  private(set) var kind = ""
  /// True if inactive customers and vendors are wanted too.
  private(set) var includesInactive = false
  private(set) var since: Timestamp?
  private(set) var position = 1
  private(set) var limit = 100

  init(_ text: String) throws(Refused) {
    var words = text.split(separator: " ").map(String.init)[...]
    func take(_ expected: String...) throws(Refused) -> String {
      guard let word = words.popFirst(),
        expected.isEmpty || expected.contains(word.lowercased())
      else { throw Refused(code: 4_000, message: "Error parsing query") }
      return word
    }
    _ = try take("select")
    isCount = try take("*", "count(*)").lowercased() == "count(*)"
    _ = try take("from")
    kind = try take(
      "invoice", "creditmemo", "bill", "vendorcredit", "customer", "vendor", "payment",
      "billpayment", "attachable", "preferences")
    while !words.isEmpty {
      switch try take("where", "and", "orderby", "startposition", "maxresults").lowercased() {
      case "where", "and":
        if words.first == "Active" {
          for word in ["active", "in", "(true,", "false)"] { _ = try take(word) }
          includesInactive = true
          continue
        }
        _ = try take("metadata.lastupdatedtime")
        _ = try take(">=")
        let quoted = try take()
        since = QuickBooksTime.instant(quoted.filter { $0 != "'" })
        guard since != nil else { throw Refused(code: 4_001, message: "Invalid query") }
      case "orderby": _ = try take("metadata.lastupdatedtime", "id")
      case "startposition": position = try Self.number(try take(), 1...Int(Int32.max))
      default: limit = try Self.number(try take(), 1...1_000)
      }
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) throws(Refused) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Refused(code: 4_001, message: "Invalid query")
    }
    return number
  }
}

struct QuickBooksBatch: Decodable {
  struct Item: Decodable {
    let id: String
    let query: String

    enum CodingKeys: String, CodingKey {
      case id = "bId"
      case query = "Query"
    }
  }

  let items: [Item]

  enum CodingKeys: String, CodingKey { case items = "BatchItemRequest" }
}
