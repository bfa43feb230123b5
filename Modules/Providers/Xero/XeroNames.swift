import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The names of tax rates and ledger accounts, from `GET /api.xro/2.0/TaxRates` and `/Accounts`,
/// neither of which has pages.
enum XeroNames {
  /// The scope that both need by the specification of the API.
  static let scope = "accounting.settings.read"

  /// Fetches the names of a list by their codes.
  static func fetch(
    _ list: BookNames.List, at baseURL: URL, of tenant: String, ask: Ask
  ) async throws -> [String: String] {
    let path = list == .taxes ? "TaxRates" : "Accounts"
    var fields = XeroProvider.fields(ofTenant: tenant)
    fields[.accept] = "application/json"
    let request = try Request(url: baseURL.appending(path: "api.xro/2.0/" + path), fields: fields)
    var names: [String: String] = [:]
    try JSONReader.readPage(try await ask(request).body) { reader, key in
      switch key {
      case "TaxRates": names = try reader.readNames(by: "TaxType", as: "Name")
      case "Accounts": names = try reader.readNames(by: "Code", as: "Name")
      default: try reader.skipValue()
      }
    }
    return names
  }
}
