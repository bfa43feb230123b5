import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// A location of a merchant, from `GET /v2/locations`, which includes closed ones.
struct SquareLocation: Sendable, CustomStringConvertible {
  let id: String
  let merchantID: String
  let name: String?
  /// The time zone, an IANA name.
  let timeZone: String?

  var description: String { name.map { "\($0) (\(id))" } ?? id }

  /// Returns the locations to read, all or the wanted one, always in the same order.
  ///
  /// - Throws: ``SyncError/organisationUnclear(available:)`` if there is none, or if they belong to
  ///   several merchants.
  static func chosen(
    _ wanted: String?, by request: Request, ask: Ask
  ) async throws -> [SquareLocation] {
    let response = try await ask(request)
    let found = try locations(in: response.body)
    let meant = wanted.map { wanted in found.filter { $0.id == wanted } } ?? found
    // A login belongs to one merchant.
    guard let merchant = meant.first?.merchantID,
      meant.allSatisfy({ $0.merchantID == merchant })
    else { throw SyncError.organisationUnclear(available: found.map(\.description)) }
    return meant.sorted { $0.id < $1.id }
  }

  static func locations(in body: [UInt8]) throws -> [SquareLocation] {
    var found: [SquareLocation] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "locations": try reader.readEveryElement { found.append(try location(&$0)) }
      default: try reader.skipValue()
      }
    }
    return found
  }

  private static func location(_ reader: inout JSONReader) throws -> SquareLocation {
    var id: String?
    var merchantID: String?
    var name: String?
    var timeZone: String?
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readString()
      case "merchant_id": merchantID = try reader.readString()
      case "name": name = try reader.readOptionalString()
      case "timezone": timeZone = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    guard let id, let merchantID else {
      throw JSONError(
        reason: .unexpected("expected an identifier and the merchant's"), offset: offset)
    }
    return SquareLocation(id: id, merchantID: merchantID, name: name, timeZone: timeZone)
  }
}
