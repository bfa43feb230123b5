import Foundation
import JSONReading
import Models
import Sync

/// A page of a location's invoices, before their orders are fetched.
struct SquarePage {
  private(set) var invoices: [Invoice] = []
  /// Identifier of each invoice's order, which holds its lines; empty if it has none.
  private(set) var orderIDs: [String] = []
  private(set) var failures: [RowFailure] = []
  /// Token of the next page; `nil` at the end.
  private(set) var pageToken: String?

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// Square omits empty values, so that a page without invoices is `{}`.
  ///
  /// - Parameters:
  ///   - zone: the time zone in which instants become days.
  ///   - isFixed: true if the zone that an invoice states does not count.
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the page as a whole is malformed.
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
        // Without the token of another type, the list would seem to end here.
        pageToken = try reader.readNull() ? nil : reader.readString()
        if pageToken == "" { pageToken = nil }
      case "errors": try reader.readEveryElement { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    // A page with errors may lack invoices.
    guard errors.isEmpty else {
      throw SyncError.unreadable(part: "errors", reason: "the page contains errors")
    }
  }
}
