import Foundation
import HTTPTypes
import Models
import Networking
import ProviderConformance
import Synchronization

final class LedgerlyServer: ProviderServer, Middleware {
  private struct Row {
    let id: String
    var change: Int
    var state = "sent"
  }

  let url: URL
  let totalPath: [String]? = ["total"]
  let requestsWhenUnchanged: Int? = 1
  private let rows = Mutex<[Row]>([])

  init(url: URL, invoices: Int) {
    self.url = url
    rows.withLock { $0 = (1...invoices).map { Row(id: "inv-\($0)", change: $0) } }
  }

  var link: (any Middleware)? { self }

  /// Its token names the business.
  var signIns: [OrganisationSignIn] {
    ["b1", "b2"].compactMap { token in
      Origin(url).flatMap { try? BearerAuthorizer(token: token, origins: [$0]) }
        .map { OrganisationSignIn(authorizer: $0) }
    }
  }

  func change(_ change: BookChange, count: Int) {
    rows.withLock { rows in
      let last = rows.map(\.change).max() ?? 0
      if change == .add {
        rows += (1...count).map { Row(id: "inv-\(last + $0)", change: last + $0) }
        return
      }
      let states = [BookChange.edit: "settled", .void: "cancelled", .delete: "removed"]
      let chosen = rows.indices.filter { rows[$0].state == "sent" }.prefix(count)
      for (number, index) in zip(1..., chosen) {
        rows[index].change = last + number
        rows[index].state = states[change] ?? ""
      }
      rows.sort { $0.change < $1.change }
    }
  }

  func restore(count: Int) {
    rows.withLock { rows in
      let last = rows.map(\.change).max() ?? 0
      let removed = rows.indices.filter { rows[$0].state == "removed" }.prefix(count)
      for (number, index) in zip(1..., removed) {
        rows[index].change = last + number
        rows[index].state = "sent"
      }
      rows.sort { $0.change < $1.change }
    }
  }

  func invoices() throws -> [Invoice] {
    let statuses: [String: InvoiceStatus] = ["sent": .open, "settled": .paid, "cancelled": .void]
    return try rows.withLock { $0 }.filter { $0.state != "removed" }.map { row in
      guard let currency = Currency(code: "EUR"), let total = ExactDecimal(Self.total(row)) else {
        throw CocoaError(.formatting)
      }
      return Invoice(
        id: row.id, number: "N \(row.id)", type: .invoice, status: statuses[row.state] ?? .unknown,
        rawStatus: row.state, currency: currency, updatedAt: Self.instant(row), total: total)
    }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    StreamingResponse(
      head: HTTPResponse(status: .ok), body: ResponseBody(Array(body(for: request).utf8)),
      url: request.url)
  }

  private func body(for request: Request) -> String {
    let url = request.url
    let business = request.fields[.authorization] == "Bearer b2" ? "b2" : "b1"
    guard url.path().hasSuffix("/invoices") else { return #"{"id":"\#(business)"}"# }
    let after = url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 0
    let rest = rows.withLock { $0 }.filter { $0.change > after }
    let page = rest.prefix(10)
    return """
      {"last": \(page.last?.change ?? after), "more": \(rest.count > page.count),
      "invoices": [\(page.map(Self.json).joined(separator: ", "))]}
      """
  }

  private static func json(_ row: Row) -> String {
    """
    {"id": "\(row.id)", "number": "N \(row.id)", "state": "\(row.state)", "currency": "EUR",
    "total": \(total(row)), "updated": "\(instant(row))"}
    """
  }

  private static func total(_ row: Row) -> String { "12\(row.id.dropFirst(4)).50" }

  private static func instant(_ row: Row) -> Timestamp {
    Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000 + Int64(row.change) * 1_000)
  }
}
