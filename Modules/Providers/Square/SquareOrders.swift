import JSONReading
import Sync

/// Orders by their identifiers, including those that cannot be read.
struct SquareOrders {
  private var orders: [String: SquareOrder] = [:]
  private var failures: [String: RowFailure] = [:]
  /// The failure of an order without an identifier, which may be any of the missing orders.
  private var nameless: RowFailure?

  /// Reads a response to `POST /v2/orders/batch-retrieve`, which omits orders that do not exist.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the response as a whole is malformed.
  mutating func add(_ body: [UInt8]) throws {
    var found: [RowFailure] = []
    var errors: [SquareErrors.Entry] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "orders":
        try reader.readRows(identifier: "id", into: &found) { reader in
          let order = try SquareOrder(&reader)
          guard let id = order.id else { throw reader.mistake("it has no id") }
          orders[id] = order
        }
      case "errors": try reader.readEveryElement { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    // A response with errors may lack orders, and an invoice without its order would lose its
    // lines.
    guard errors.isEmpty else {
      throw SyncError.unreadable(part: "errors", reason: "the orders contain errors")
    }
    for failure in found {
      if let id = failure.id { failures[id] = failure } else { nameless = failure }
    }
  }

  /// The order with an identifier, or the failure to read it; `nil` if there is none.
  subscript(id: String) -> Entry? {
    guard !id.isEmpty else { return nil }
    return failures[id].map(Entry.unreadable) ?? orders[id].map(Entry.order)
      ?? nameless.map(Entry.unreadable)
  }

  /// An order, or the failure to read it.
  enum Entry {
    case order(SquareOrder)
    case unreadable(RowFailure)
  }
}
