import JSONReading
import Models
import Sync

/// A page of a location's invoices, before their orders are asked for.
struct SquarePage {
  private(set) var invoices: [Invoice] = []
  /// The order of each invoice, which holds its lines; empty where it has none.
  private(set) var orderIDs: [String] = []
  private(set) var failures: [RowFailure] = []
  /// Where the next page begins; absent or empty at the end.
  private(set) var pageToken: String?

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// Square leaves out what is empty, so that a page without invoices is `{}`.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole is broken.
  init(_ body: [UInt8]) throws {
    var errors: [SquareErrors.Entry] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "invoices":
        try reader.readRows(identifier: "id", into: &failures) {
          let (invoice, orderID) = try SquareInvoice.read(&$0)
          invoices.append(invoice)
          orderIDs.append(orderID ?? "")
        }
      case "cursor":
        pageToken = try reader.readOptionalString().flatMap { $0.isEmpty ? nil : $0 }
      case "errors": try reader.readList { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    // A list with errors is not all of it.
    guard errors.isEmpty else {
      throw SyncError.unreadable(place: "errors", reason: "the page comes with errors")
    }
  }
}
