import Foundation
import HTTPTypes
import Models
import Networking
import Sync

/// The requests to Stripe.
struct StripeRequests {
  let baseURL: URL
  let pageSize: Int

  /// Version of the API that this code reads; without it, Stripe uses the account's own version.
  static let version = "2024-06-20"

  func account(_ onBehalfOf: String?) throws -> Request {
    try request("account", [], onBehalfOf)
  }

  func balance(_ onBehalfOf: String?) throws -> Request {
    try request("balance", [], onBehalfOf)
  }

  func anyInvoice(_ onBehalfOf: String?) throws -> Request {
    try request("invoices", [URLQueryItem(name: "limit", value: "1")], onBehalfOf)
  }

  func invoices(at cursor: StripeCursor) throws -> Request {
    var items = [
      URLQueryItem(name: "limit", value: String(pageSize)),
      URLQueryItem(name: "expand[]", value: "data.total_tax_amounts.tax_rate"),
    ]
    if let until = cursor.until {
      items.append(URLQueryItem(name: "created[lte]", value: until.seconds))
    }
    if let after = cursor.after { items.append(URLQueryItem(name: "starting_after", value: after)) }
    return try request("invoices", items, cursor.onBehalfOf)
  }

  func events(at cursor: StripeCursor, limit: Int? = nil) throws -> Request {
    var items = [
      URLQueryItem(name: "limit", value: String(limit ?? pageSize)),
      URLQueryItem(name: "type", value: "invoice.*"),
      URLQueryItem(name: "created[gte]", value: cursor.since.seconds),
    ]
    if let after = cursor.after { items.append(URLQueryItem(name: "starting_after", value: after)) }
    return try request("events", items, cursor.onBehalfOf)
  }

  func invoice(_ id: String, of cursor: StripeCursor) throws -> Request {
    try request(
      "invoices/" + id, [URLQueryItem(name: "expand[]", value: "total_tax_amounts.tax_rate")],
      cursor.onBehalfOf)
  }

  func lines(of id: String, after line: String, _ cursor: StripeCursor) throws -> Request {
    try request(
      "invoices/\(id)/lines",
      [
        URLQueryItem(name: "limit", value: "100"),
        URLQueryItem(name: "starting_after", value: line),
      ], cursor.onBehalfOf)
  }

  static func fields(onBehalfOf: String?) -> HTTPFields {
    var fields = HTTPFields()
    if let name = HTTPField.Name("Stripe-Version") { fields[name] = version }
    if let name = HTTPField.Name("Stripe-Account") { fields[name] = onBehalfOf }
    return fields
  }

  private func request(
    _ path: String, _ items: [URLQueryItem], _ onBehalfOf: String?
  ) throws -> Request {
    var url = baseURL.appending(path: "v1/" + path)
    if !items.isEmpty { url.append(queryItems: items) }
    var fields = Self.fields(onBehalfOf: onBehalfOf)
    fields[.accept] = "application/json"
    return try Request(url: url, fields: fields)
  }
}

extension Timestamp {
  /// Whole seconds since 1970, as text.
  fileprivate var seconds: String {
    String(truncatedToSecond.microsecondsSinceEpoch / 1_000_000)
  }
}
