import Models

/// A page of a location's invoices, before their orders are asked for.
struct SquarePage {
  private(set) var invoices: [SquareInvoice] = []
  private(set) var failures: [RowFailure] = []
  /// Where the next page begins; absent or empty at the end.
  private(set) var cursor: String?

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
          invoices.append(try SquareInvoice(&$0))
        }
      case "cursor":
        cursor = try reader.readOptionalString().flatMap { $0.isEmpty ? nil : $0 }
      case "errors": try reader.readList { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    // A list with errors is not all of it.
    guard errors.isEmpty else {
      throw SyncError.unreadable(place: "errors", reason: "the page comes with errors")
    }
  }

  /// The orders that hold the lines of the invoices.
  var orderIDs: [String] { invoices.compactMap(\.orderID) }

  /// Makes the rows records, each with its order.
  func records(_ orders: SquareOrders) -> (records: [Invoice], failures: [RowFailure]) {
    var records: [Invoice] = []
    var failures = failures
    for invoice in invoices {
      do {
        switch invoice.orderID.flatMap({ orders[$0] }) {
        case .order(let order): records.append(try invoice.invoice(order))
        case nil: records.append(try invoice.invoice(nil))
        // Without its lines it would look as if they had been taken off.
        case .unreadable(let failure):
          failures.append(
            RowFailure(id: invoice.id, path: "order." + failure.path, reason: failure.reason))
        }
      } catch {
        failures.append(
          RowFailure(id: invoice.id, path: error.pathDescription, reason: error.explanation))
      }
    }
    return (records, failures)
  }
}
