import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of Square's API that a sync needs.
///
/// Each tenant is a location of one merchant; with a key for it alone, it is a merchant of its own.
struct SquareRoutes: Sendable {
  private struct WantedOrders: Decodable {
    let orders: [String]

    enum CodingKeys: String, CodingKey {
      case orders = "order_ids"
    }
  }

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/v2/locations") { request, _ in
      let tenants = state.tenants(of: request)
      guard let first = tenants.first else { return Self.unauthorized }
      return Response(
        json: SquareEnvelope.locations(
          tenants,
          of: SquareEnvelope.merchantID + (tenants.count < state.tenants.count ? first.id : "")))
    }
    router.get("/v2/invoices") { request, _ in
      let tenants = state.tenants(of: request)
      guard !tenants.isEmpty else { return Self.unauthorized }
      guard let query = try? request.queryParameters() else {
        return Self.refused("BAD_REQUEST", field: nil)
      }
      return invoices(query, tenants)
    }
    router.post("/v2/customers/search") { request, _ in
      let tenants = state.tenants(of: request)
      guard !tenants.isEmpty else { return Self.unauthorized }
      let body = try await request.bodyText()
      guard let search = try? JSONDecoder().decode(SquareSearch.self, from: Data(body.utf8)) else {
        return Self.refused("EXPECTED_JSON_BODY", field: nil)
      }
      return customers(search, tenants)
    }
    router.post("/v2/orders/batch-retrieve") { request, _ in
      let tenants = state.tenants(of: request)
      guard !tenants.isEmpty else { return Self.unauthorized }
      let body = try await request.bodyText()
      guard let wanted = try? JSONDecoder().decode(WantedOrders.self, from: Data(body.utf8)) else {
        return Self.refused("EXPECTED_JSON_BODY", field: nil)
      }
      guard wanted.orders.count <= 100 else {
        return Self.refused("ARRAY_LENGTH_TOO_LONG", field: "order_ids")
      }
      let ids = Set(wanted.orders)
      return Response(
        json: SquareEnvelope.orders(
          tenants.flatMap { tenant in
            Self.listed(tenant).filter { ids.contains($0.squareOrderID) }
              .map { ($0, tenant.squareLocationID) }
          }))
    }
  }

  private func invoices(_ query: FormParameters, _ tenants: [Tenant]) -> Response {
    let id = query["location_id"]
    guard let tenant = tenants.first(where: { $0.squareLocationID == id }) else {
      return Self.refused("MISSING_REQUIRED_PARAMETER", field: "location_id")
    }
    guard let limit = Int(query["limit"] ?? "100"), (1...200).contains(limit) else {
      return Self.refused("VALUE_TOO_HIGH", field: "limit")
    }
    let rows = Self.listed(tenant)
    guard let start = query["cursor"].map(SquareCursorText.start) ?? 0 else {
      return Self.refused("INVALID_CURSOR", field: "cursor")
    }
    let end = start + limit
    return Response(
      json: SquareEnvelope.page(
        rows.dropFirst(start).prefix(limit), location: tenant.squareLocationID,
        cursor: end < rows.count ? SquareCursorText.text(end) : nil))
  }

  /// Returns a page of the customers of all locations, in the order of creation.
  private func customers(_ search: SquareSearch, _ tenants: [Tenant]) -> Response {
    guard (1...100).contains(search.limit ?? 100) else {
      return Self.refused("VALUE_TOO_HIGH", field: "limit")
    }
    guard let start = search.cursor.map(SquareCursorText.start) ?? 0 else {
      return Self.refused("INVALID_CURSOR", field: "cursor")
    }
    let rows = tenants.flatMap { $0.ledger.all.customers }.filter { entry in
      entry.isLive && search.matches(entry)
    }.sorted { ($0.createdOn, $0.contact.id) < ($1.createdOn, $1.contact.id) }
    let end = start + (search.limit ?? 100)
    return Response(
      json: SquareEnvelope.customers(
        rows[min(start, rows.count)..<min(end, rows.count)],
        count: search.count == true ? rows.count : nil,
        cursor: end < rows.count ? SquareCursorText.text(end) : nil))
  }

  private static func listed(_ tenant: Tenant) -> [LedgerInvoice] {
    tenant.ledger.all.filter { $0.kind == .sale && $0.status != .deleted }
  }

  private static var unauthorized: Response {
    Response(
      json: SquareEnvelope.error("UNAUTHORIZED", category: "AUTHENTICATION_ERROR", field: nil),
      status: .unauthorized)
  }

  private static func refused(_ code: String, field: String?) -> Response {
    Response(
      json: SquareEnvelope.error(code, category: "INVALID_REQUEST_ERROR", field: field),
      status: .badRequest)
  }
}

/// A search for customers in the order of creation.
private struct SquareSearch: Decodable {
  struct Query: Decodable {
    let filter: Filter
    let sort: [String: String]
  }

  struct Filter: Decodable {
    let createdAt: Range?
    let updatedAt: Range?

    enum CodingKeys: String, CodingKey {
      case createdAt = "created_at"
      case updatedAt = "updated_at"
    }
  }

  struct Range: Decodable {
    let start: Timestamp?
    let end: Timestamp?

    enum CodingKeys: String, CodingKey {
      case start = "start_at"
      case end = "end_at"
    }

    func contains(_ instant: Timestamp) -> Bool {
      start.map { instant >= $0 } ?? true && end.map { instant < $0 } ?? true
    }
  }

  let query: Query
  let limit: Int?
  let cursor: String?
  let count: Bool?

  func matches(_ entry: ContactEntry) -> Bool {
    query.filter.createdAt?.contains(entry.squareCreation) ?? true
      && query.filter.updatedAt?.contains(entry.updatedAt) ?? true
  }
}

/// The cursor of a list, which clients have to return unchanged, whatever characters it contains.
private enum SquareCursorText {
  private static let prefix = "row+"
  private static let suffix = "/=="

  static func text(_ start: Int) -> String { prefix + String(start) + suffix }

  /// Returns the row at which the page begins; `nil` if the text is not a cursor.
  static func start(_ text: String) -> Int? {
    guard text.hasPrefix(prefix), text.hasSuffix(suffix) else { return nil }
    return Int(text.dropFirst(prefix.count).dropLast(suffix.count))
  }
}

private enum SquareEnvelope {
  static let merchantID = "MSANDBOX"

  static func locations(_ tenants: [Tenant], of merchantID: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.array("locations") { writer in
        for tenant in tenants {
          writer.object { writer in
            writer.member("id", tenant.squareLocationID)
            writer.member("name", tenant.name)
            writer.member("merchant_id", merchantID)
            writer.member("timezone", "Etc/UTC")
            writer.member("currency", "USD")
            writer.member("status", "ACTIVE")
          }
        }
      }
    }
  }

  static func page(
    _ invoices: some Collection<LedgerInvoice>, location: String, cursor: String?
  ) -> [UInt8] {
    JSONWriter.object { writer in
      if !invoices.isEmpty {
        writer.array("invoices") { writer in
          for invoice in invoices { invoice.writeSquare(location: location, to: &writer) }
        }
      }
      writer.member(ifPresent: cursor, "cursor")
    }
  }

  static func customers(
    _ entries: some Collection<ContactEntry>, count: Int?, cursor: String?
  ) -> [UInt8] {
    JSONWriter.object { writer in
      if !entries.isEmpty {
        writer.array("customers") { writer in
          for entry in entries { entry.writeSquare(to: &writer) }
        }
      }
      if let count { writer.member("count", count) }
      writer.member(ifPresent: cursor, "cursor")
    }
  }

  static func orders(_ orders: [(invoice: LedgerInvoice, location: String)]) -> [UInt8] {
    JSONWriter.object { writer in
      guard !orders.isEmpty else { return }
      writer.array("orders") { writer in
        for order in orders {
          order.invoice.writeSquareOrder(location: order.location, to: &writer)
        }
      }
    }
  }

  static func error(_ code: String, category: String, field: String?) -> [UInt8] {
    JSONWriter.object { writer in
      writer.array("errors") { writer in
        writer.object { writer in
          writer.member("category", category)
          writer.member("code", code)
          writer.member(ifPresent: field, "field")
        }
      }
    }
  }
}

extension Tenant {
  var squareLocationID: String { "L" + id.uppercased().filter { $0 != "-" }.prefix(12) }
}
