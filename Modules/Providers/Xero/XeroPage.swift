import JSONReading
import Models
import Sync

/// A page of one of Xero's lists.
struct XeroPage<List: XeroList> {
  private(set) var records: [List.Record] = []
  private(set) var failures: [RowFailure] = []
  /// Total number of pages and of rows, if the server states them.
  private(set) var pageCount: Int?
  private(set) var itemCount: Int?

  /// The number of rows of a kind that is not stored.
  private var skipped = 0

  var count: Int { records.count + failures.count + skipped }

  /// Creates a page without rows.
  init() {}

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter capacity: the largest number of rows.
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the page as a whole is malformed.
  init(_ body: [UInt8], capacity: Int) throws {
    records.reserveCapacity(capacity)
    var hasRows = false
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case List.rows:
        hasRows = true
        try reader.readRows(identifier: List.identifier, into: &failures) {
          if let record = try List.read(&$0) { records.append(record) } else { skipped += 1 }
        }
      case "pagination": try readPagination(&reader)
      default: try reader.skipValue()
      }
    }
    guard hasRows else {
      throw SyncError.unreadable(part: "\(List.rows)", reason: "missing")
    }
  }

  private mutating func readPagination(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return }
    try reader.readObject { reader, key in
      switch key {
      case "pageCount": pageCount = try reader.readInt()
      case "itemCount": itemCount = try reader.readInt()
      default: try reader.skipValue()
      }
    }
  }
}
