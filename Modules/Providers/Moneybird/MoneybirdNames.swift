import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The names of an administration's tax rates and ledger accounts.
///
/// https://developer.moneybird.com/api/tax_rates/ and
/// https://developer.moneybird.com/api/ledger_accounts/: any scope for invoices covers both.
enum MoneybirdNames {
  /// Fetches the names of a list by their identifiers; none if the login may not read it.
  static func fetch(
    _ list: BookNames.List, at baseURL: URL, of administration: String, ask: Ask
  ) async throws -> [String: String] {
    let path = list == .taxes ? "tax_rates" : "ledger_accounts"
    let url = baseURL.appending(path: "api/v2/\(administration)/\(path).json")
    var names: [String: String] = [:]
    do {
      for page in 1...pageLimit {
        let items = [
          URLQueryItem(name: "page", value: String(page)),
          URLQueryItem(name: "per_page", value: String(pageSize)),
        ]
        let request = try Request(
          url: list == .taxes ? url.appending(queryItems: items) : url,
          fields: [.accept: "application/json"])
        let rows = try JSONReader.readWhole(try await ask(request).body, as: path) {
          try $0.readNames(by: "id", as: "name")
        }
        names.merge(rows) { $1 }
        // Ledger accounts have no pages.
        guard list == .taxes, rows.count == pageSize else { break }
      }
    } catch let error where error.isRefusal {
      return [:]
    }
    return names
  }

  /// The largest number of rows that Moneybird returns in a page.
  private static let pageSize = 100
  private static let pageLimit = 20
}
