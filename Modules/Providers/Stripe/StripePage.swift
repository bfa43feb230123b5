import Foundation
import JSONReading
import Models
import Storage
import Sync

/// A page of the list of invoices.
struct StripePage {
  private var invoices: [Invoice] = []
  private var failures: [RowFailure] = []
  private var removals: [Removal] = []
  private var unfinished: [String] = []
  private var last: (id: String, madeAt: Timestamp)?
  private var hasMore = false

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter zone: the time zone in which instants become days.
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the page as a whole is malformed.
  init(_ body: [UInt8], in zone: TimeZone = .gmt) throws {
    var broken: [RowFailure] = []
    hasMore = try JSONReader.readStripeList(body) { reader in
      var (lastRow, lastReadable): (JSONReader?, JSONReader?)
      try reader.readRows(identifier: "id", into: &broken) { row in
        let start = row
        lastRow = start
        try read(&row, zone)
        lastReadable = start
      }
      // If the last row has no cursor, the last readable row provides it, and some rows are read
      // again.
      last =
        try lastRow.flatMap { try? Self.cursor($0) } ?? lastReadable.map { try Self.cursor($0) }
    }
    failures = broken
  }

  func page(at cursor: StripeCursor) throws -> Page<[Invoice], StripeCursor> {
    var page = Page<[Invoice], StripeCursor>(resume: cursor)
    page.records = invoices
    page.failures = failures
    page.removals = removals
    page.unfinished = unfinished
    guard !hasMore || last != nil else {
      throw SyncError.unreadable(
        part: "data", reason: "no row has an id that leads to the next page")
    }
    guard !hasMore || last?.id != cursor.after else {
      throw SyncError.unreadable(part: "data", reason: "it repeats the previous page")
    }
    guard hasMore, let last else {
      page.next = cursor.events()
      page.resume = cursor.events()
      return page
    }
    page.next = cursor.advanced(after: last.id)
    // Resume by time instead of by row: a draft may be deleted until then.
    page.resume.after = nil
    page.resume.until = last.madeAt
    return page
  }

  private mutating func read(_ row: inout JSONReader, _ zone: TimeZone) throws {
    let invoice = try StripeInvoice(&row)
    let id = try invoice.identifier()
    guard !invoice.isDeleted else {
      removals.append(Removal(id: id, reason: "deleted"))
      return
    }
    invoices.append(try invoice.invoice(in: zone))
    if invoice.isCut { unfinished.append(id) }
  }

  private static func cursor(_ row: JSONReader) throws -> (id: String, madeAt: Timestamp) {
    var row = row
    var id: String?
    var instant: Timestamp?
    try row.readObject { reader, key in
      switch key {
      case "id": id = try reader.readString()
      case "created": instant = try reader.readStripeInstant()
      default: try reader.skipValue()
      }
    }
    guard let id, let instant else {
      throw JSONError(
        reason: .unexpected("the row lacks id or created, which lead to the next page"),
        offset: row.position)
    }
    return (id, instant)
  }
}
