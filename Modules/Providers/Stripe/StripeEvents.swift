import JSONReading
import Models
import Storage
import Sync

/// A page of the list of events, from which only the identifiers of invoices are used.
struct StripeEvents {
  private struct Event {
    var id = ""
    var type = ""
    var happenedAt: Timestamp?
    /// Identifier of the invoice; `nil` for an upcoming invoice, which is only a forecast.
    var invoice: String?
  }

  private var events: [Event] = []
  private var failures: [RowFailure] = []
  private var hasMore = false

  init(_ body: [UInt8]) throws {
    var broken: [RowFailure] = []
    hasMore = try JSONReader.readStripeList(body) { reader in
      try reader.readRows(identifier: "id", into: &broken) {
        events.append(try Self.readEvent(&$0))
      }
    }
    failures = broken
  }

  /// Returns the page with the removed invoices and those to fetch.
  ///
  /// - Parameter asked: the server time at which the page was requested.
  /// - Throws: ``CursorExpired`` if Stripe may no longer keep all events since
  ///   ``StripeCursor/since``.
  func page(at cursor: StripeCursor, asked: Timestamp) throws -> Page<[Invoice], StripeCursor> {
    // Stripe keeps events for 30 days; this limit is a day less.
    guard cursor.since >= asked.adding(seconds: -29 * 86_400) else { throw CursorExpired() }
    var page = Page<[Invoice], StripeCursor>(resume: cursor)
    let deleted = Set(events.lazy.filter { $0.type == "invoice.deleted" }.compactMap(\.invoice))
    page.removals = deleted.sorted().map { Removal(id: $0, reason: "event invoice.deleted") }
    var seen = deleted
    page.unfinished = events.compactMap(\.invoice).filter { seen.insert($0).inserted }
    page.failures = failures
    page.newest = events.lazy.compactMap(\.happenedAt).max()
    let askedAt = cursor.askedAt ?? asked
    guard !hasMore || !events.isEmpty || failures.isEmpty else {
      throw SyncError.unreadable(
        part: "data", reason: "no event has an id that leads to the next page")
    }
    if hasMore, let last = events.last {
      page.resume = cursor.advanced(after: last.id)
      page.resume.askedAt = askedAt
      page.next = page.resume
    } else {
      page.resume = cursor.events(
        since: max(cursor.since, askedAt.adding(seconds: -StripeCursor.overlap)))
    }
    return page
  }

  private static func readEvent(_ reader: inout JSONReader) throws -> Event {
    var event = Event()
    try reader.readObject { reader, key in
      switch key {
      case "id": event.id = try reader.readString()
      case "type": event.type = try reader.readString()
      case "created": event.happenedAt = try reader.readStripeInstant()
      case "data":
        try reader.readObject { reader, key in
          switch key {
          case "object": event.invoice = try reader.readStripeReference()
          default: try reader.skipValue()
          }
        }
      default: try reader.skipValue()
      }
    }
    return event
  }
}
