import JSONReading
import Models
import Sync

/// The response to a query.
struct QuickBooksPage {
  private(set) var invoices: [Invoice] = []
  private(set) var failures: [RowFailure] = []
  /// Server time of the response.
  private(set) var time: Timestamp?

  var count: Int { invoices.count + failures.count }

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the page as a whole is malformed.
  init(_ body: [UInt8], of kind: QuickBooksKind, homeCurrency: String?) throws {
    var broken: [RowFailure] = []
    let answer = try JSONReader.readQuickBooksResponse(body, "QueryResponse") { reader in
      // An empty list has no key for rows.
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
    }
    time = answer.time
    guard answer.isAnswer else {
      throw SyncError.unreadable(part: "QueryResponse", reason: "missing")
    }
    failures = broken.map { failure in
      RowFailure(
        id: failure.id.map(kind.identifier), path: failure.path, reason: failure.reason)
    }
  }

  /// Requires that QuickBooks still keeps the deletions that are to be read.
  ///
  /// - Throws: ``CursorExpired`` if it may not.
  func requireThatDeletionsAreKept(since cursor: QuickBooksCursor) throws {
    guard cursor.readsDeletions, let time else { return }
    // QuickBooks keeps deletions for 30 days; a day less allows for time zones and slow runs.
    guard cursor.deletionsKnownUntil >= time.adding(seconds: -29 * 86_400) else {
      throw CursorExpired()
    }
  }
}
