import Foundation
import HTTPTypes
import Models
import Networking
import Sync

/// The requests to Square, and what all of its lists have in common.
struct SquareRequests: Sendable {
  let baseURL: URL

  /// The fields of each request; without a version, Square uses that of the application.
  static let fields: HTTPFields =
    HTTPField.Name("Square-Version").map { [$0: "2025-08-20"] } ?? [:]

  /// Returns the name of the organisation whose records are read.
  static func source(merchantID: String, locationID: String?) -> String {
    "square:" + merchantID + (locationID.map { "/" + $0 } ?? "")
  }

  /// Fetches the locations to read, all or the wanted one, with their merchant and the server time.
  func locations(
    _ wanted: String?, ask: Ask
  ) async throws -> (merchantID: String, locations: [SquareLocation], time: Timestamp) {
    let response = try await ask(list("v2/locations"))
    let locations = try SquareLocation.chosen(wanted, in: response.body)
    guard let merchant = locations.first?.merchantID else {
      throw SyncError.organisationUnclear(available: [])
    }
    return (merchant, locations, response.serverTime)
  }

  func list(_ path: String, query: [URLQueryItem] = []) throws -> Request {
    var url = baseURL.appending(path: path)
    if !query.isEmpty {
      url.append(queryItems: query)
      // In a query `+` means a space, and cursors are Base64.
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
      let escaped = parts?.percentEncodedQuery?.replacing("+", with: "%2B")
      parts?.percentEncodedQuery = escaped
      url = parts?.url ?? url
    }
    return try Request(url: url, fields: Self.accepting)
  }

  /// Returns a POST that only reads.
  func reading(_ path: String, json: some Encodable) throws -> Request {
    var request = try Request(
      url: baseURL.appending(path: path), fields: Self.accepting, json: json)
    request.isSafeToRetry = true
    return request
  }

  private static var accepting: HTTPFields {
    var fields = fields
    fields[.accept] = "application/json"
    return fields
  }
}
