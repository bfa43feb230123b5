import JSONReading
import Models
import Sync

/// The answer to a query.
struct QuickBooksPage {
  private(set) var invoices: [Invoice] = []
  private(set) var failures: [RowFailure] = []
  /// When it was answered, by the server's clock.
  private(set) var time: Timestamp?

  var count: Int { invoices.count + failures.count }

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole is broken.
  init(_ body: [UInt8], of kind: QuickBooksKind, homeCurrency: String?) throws {
    var isAnswer = false
    var broken: [RowFailure] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "QueryResponse":
        isAnswer = true
        // A list without rows has no key for them.
        try reader.readObject { reader, key in
          switch key {
          case "Invoice", "CreditMemo", "Bill", "VendorCredit":
            try reader.readRows(identifier: "Id", into: &broken) {
              invoices.append(try QuickBooksInvoice.read(&$0, kind, homeCurrency: homeCurrency))
            }
          case "Fault": try reader.readQuickBooksFault()
          default: try reader.skipValue()
          }
        }
      case "Fault": try reader.readQuickBooksFault()
      case "time": time = try reader.readTimestamp()
      default: try reader.skipValue()
      }
    }
    guard isAnswer else {
      throw SyncError.unreadable(place: "QueryResponse", reason: "it is missing")
    }
    failures = broken.map { failure in
      RowFailure(
        id: failure.id.map(kind.identifier), path: failure.path, reason: failure.reason)
    }
  }

  /// - Throws: ``CursorExpired`` where deletions are to be read that QuickBooks does not keep any
  ///   more.
  func requireThatDeletionsAreKept(since cursor: QuickBooksCursor) throws {
    guard cursor.readsDeletions, let time else { return }
    // A day less than the 30 that it keeps, so that no zone and no slow run is too late.
    guard cursor.deletionsKnownUntil >= time.adding(seconds: -29 * 86_400) else {
      throw CursorExpired()
    }
  }
}
