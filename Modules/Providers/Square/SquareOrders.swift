import JSONReading
import Sync

/// Orders by their identifiers, with those that cannot be read.
struct SquareOrders {
  private var orders: [String: SquareOrder] = [:]
  private var failures: [String: RowFailure] = [:]
  /// One that does not tell which it is: it may be any of those that are missed.
  private var nameless: RowFailure?

  /// Reads a reply of `POST /v2/orders/batch-retrieve`; an order that is not there is left out of
  /// it.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the reply as a whole is broken.
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
      case "errors": try reader.readList { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    // Orders with errors are not all of them, and an invoice without its order would lose its
    // lines.
    guard errors.isEmpty else {
      throw SyncError.unreadable(place: "errors", reason: "the orders come with errors")
    }
    for failure in found {
      if let id = failure.id { failures[id] = failure } else { nameless = failure }
    }
  }

  /// An order, or why it cannot be read; `nil` where there is none.
  subscript(id: String) -> Entry? {
    guard !id.isEmpty else { return nil }
    return failures[id].map(Entry.unreadable) ?? orders[id].map(Entry.order)
      ?? nameless.map(Entry.unreadable)
  }

  /// An order, as far as it can be read.
  enum Entry {
    case order(SquareOrder)
    case unreadable(RowFailure)
  }
}
