import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// A page of a location's invoices, before their orders are fetched.
struct SquarePage {
  private(set) var invoices: [Invoice] = []
  /// Identifier of each invoice's order, which holds its lines; empty if it has none.
  private(set) var orderIDs: [String] = []
  private(set) var failures: [RowFailure] = []
  private(set) var pageToken: String?

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// Square omits empty values, so that a page without invoices is `{}`.
  ///
  /// - Parameters:
  ///   - zone: the time zone in which instants become days.
  ///   - isFixed: true if the zone that an invoice states does not count.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page as a whole is malformed.
  init(_ body: [UInt8], in zone: TimeZone = .gmt, isFixed: Bool = false) throws {
    var errors: [SquareErrors.Entry] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "invoices":
        try reader.readRows(identifier: "id", into: &failures) {
          let (invoice, orderID) = try SquareInvoice.read(&$0, in: zone, isFixed: isFixed)
          invoices.append(invoice)
          orderIDs.append(orderID ?? "")
        }
      case "cursor":
        pageToken = try reader.readSquareCursor()
      case "errors": try reader.readEveryElement { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    try SquareErrors.requireNone(errors)
  }
}

extension JSONReader {
  /// Reads the cursor of the next page, which the last page lacks.
  mutating func readSquareCursor() throws -> String? {
    // Without the cursor of another type, the list would seem to end here.
    let token = try readNull() ? nil : readString()
    return token == "" ? nil : token
  }
}

/// The errors that a response from Square names.
enum SquareErrors {
  /// One error.
  struct Entry: Sendable, Equatable {
    var code = ""
    var field: String?
  }

  /// Requires that a page has no errors: it may lack rows.
  static func requireNone(_ errors: [Entry]) throws {
    guard errors.isEmpty else {
      throw SyncError.unreadable(part: "errors", reason: "the page contains errors")
    }
  }

  /// Requires that Square knows the cursor of a request; it is valid for a few minutes.
  ///
  /// - Throws: ``CursorExpired``.
  static func requireCursor(in response: Response) throws {
    guard response.head.status.code == 400 else { return }
    let isExpired = read(response.body).contains {
      $0.code == "INVALID_CURSOR" || $0.field == "cursor"
    }
    if isExpired { throw CursorExpired() }
  }

  /// Returns the errors in the body of a response; none if the body is not in Square's format.
  private static func read(_ body: [UInt8]) -> [Entry] {
    var found: [Entry] = []
    try? JSONReader.readPage(body) { reader, key in
      switch key {
      case "errors": try reader.readList { found.append(try entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    return found
  }

  static func entry(_ reader: inout JSONReader) throws -> Entry {
    var entry = Entry()
    try reader.readObject { reader, key in
      switch key {
      case "code": entry.code = try reader.readString()
      case "field": entry.field = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return entry
  }
}

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
  static func chosen(_ wanted: String?, in body: [UInt8]) throws -> [SquareLocation] {
    let found = try locations(in: body)
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
