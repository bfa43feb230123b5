import Foundation
import HTTPTypes
import Models
import Networking
import Sync

/// The requests to Stripe.
package struct StripeRequests: Sendable {
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

  func any(of list: (some StripeList).Type, _ onBehalfOf: String?) throws -> Request {
    try request(list.path, [URLQueryItem(name: "limit", value: "1")], onBehalfOf)
  }

  func page(
    of list: (some StripeList).Type, at cursor: StripeCursor, limit: Int? = nil
  ) throws -> Request {
    var items = [URLQueryItem(name: "limit", value: String(limit ?? pageSize))]
    items += list.expansions(at: cursor).map { URLQueryItem(name: "expand[]", value: "data." + $0) }
    if let until = cursor.until {
      items.append(URLQueryItem(name: "created[lte]", value: until.seconds))
    }
    if let after = cursor.after { items.append(URLQueryItem(name: "starting_after", value: after)) }
    return try request(list.path, items, cursor.onBehalfOf)
  }

  func events(
    of list: (some StripeList).Type, at cursor: StripeCursor, limit: Int? = nil
  ) throws -> Request {
    var items = [
      URLQueryItem(name: "limit", value: String(limit ?? pageSize)),
      URLQueryItem(name: "created[gte]", value: cursor.since.seconds),
    ]
    // Only a single one can have a wildcard.
    let name = list.events.count == 1 ? "type" : "types[]"
    items += list.events.map { URLQueryItem(name: name, value: $0) }
    if let after = cursor.after { items.append(URLQueryItem(name: "starting_after", value: after)) }
    return try request("events", items, cursor.onBehalfOf)
  }

  func record(
    _ id: String, of list: (some StripeList).Type, at cursor: StripeCursor
  ) throws -> Request {
    try request(
      list.path + "/" + id,
      list.expansions(at: cursor).map { URLQueryItem(name: "expand[]", value: $0) },
      cursor.onBehalfOf)
  }

  func lines(
    of id: String, in list: (some StripeList).Type, after line: String, _ cursor: StripeCursor
  ) throws -> Request {
    try request(
      "\(list.path)/\(id)/lines",
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
