import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Storage
import Sync

/// A page of a list.
struct StripePage<List: StripeList> {
  private var records: [List.Record] = []
  private var failures: [RowFailure] = []
  private var removals: [Removal] = []
  private var unfinished: [String] = []
  private var last: (id: String, madeAt: Timestamp)?
  private var hasMore = false

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter zone: the time zone in which instants become days.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page as a whole is malformed.
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

  func page(at cursor: StripeCursor) throws -> Page<[List.Record], StripeCursor> {
    var page = Page<[List.Record], StripeCursor>(resume: cursor)
    page.records = records
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
    switch try List.read(&row, in: zone) {
    case .deleted(let id): removals.append(Removal(id: id, reason: "deleted"))
    case .record(let record, let isCut):
      records.append(record)
      if isCut { unfinished.append(record.id) }
    }
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

/// A page of the list of events, from which only the identifiers of records are used.
struct StripeEvents<List: StripeList> {
  private struct Event {
    var id = ""
    var type = ""
    var happenedAt: Timestamp?
    /// Identifier of the record; `nil` for an upcoming invoice, which is only a forecast.
    var record: String?
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

  /// Returns the page with the removed records and those to fetch.
  ///
  /// - Parameter asked: the server time at which the page was requested.
  /// - Throws: ``CursorExpired`` if Stripe may no longer keep all events since
  ///   ``StripeCursor/since``.
  func page(
    at cursor: StripeCursor, asked: Timestamp
  ) throws -> Page<[List.Record], StripeCursor> {
    // Stripe keeps events for 30 days; this limit is a day less.
    guard cursor.since >= asked.adding(seconds: -29 * 86_400) else { throw CursorExpired() }
    var page = Page<[List.Record], StripeCursor>(resume: cursor)
    let deleted = Set(events.lazy.filter { $0.type == List.deletion }.compactMap(\.record))
    page.removals = deleted.sorted().map { Removal(id: $0, reason: "event " + List.deletion) }
    var seen = deleted
    page.unfinished = events.compactMap(\.record).filter { seen.insert($0).inserted }
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
        try reader.readMember("object") { reader in
          event.record = try List.readReference(&reader)
        }
      default: try reader.skipValue()
      }
    }
    return event
  }
}

/// An error of Stripe: `{"error":{"type":…,"code":"resource_missing","param":"starting_after"}}`.
struct StripeFault {
  private var code: String?
  private var parameter: String?

  /// True if the row before the requested page no longer exists.
  var isLostCursor: Bool { isMissing && parameter == "starting_after" }

  var isMissing: Bool { code == "resource_missing" }

  /// Reads an error; returns `nil` for a status other than 400 and 404.
  init?(_ response: Response) {
    guard [400, 404].contains(response.head.status.code) else { return nil }
    var (code, parameter): (String?, String?)
    try? JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "error":
        try reader.readObject { reader, key in
          switch key {
          case "code": code = try reader.readOptionalString()
          case "param": parameter = try reader.readOptionalString()
          default: try reader.skipValue()
          }
        }
      default: try reader.skipValue()
      }
    }
    self.code = code
    self.parameter = parameter
  }
}

extension JSONReader {
  /// Reads a list, whose rows are under `data`, and returns whether another page follows.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the response is not a list.
  static func readStripeList(
    _ body: [UInt8], _ readRows: (inout JSONReader) throws -> Void
  ) throws -> Bool {
    var (isList, hasMore) = (false, false)
    try readPage(body) { reader, key in
      switch key {
      case "data":
        isList = true
        try readRows(&reader)
      case "has_more": hasMore = try reader.readBool()
      default: try reader.skipValue()
      }
    }
    guard isList else { throw SyncError.unreadable(part: "data", reason: "missing") }
    return hasMore
  }

  /// Reads an instant, seconds since 1970, or `null`.
  mutating func readStripeInstant() throws -> Timestamp? {
    if try readNull() { return nil }
    let (milliseconds, isTooFar) = Int64(try readInt()).multipliedReportingOverflow(by: 1_000)
    guard !isTooFar, let instant = Timestamp(millisecondsSinceEpoch: milliseconds) else {
      throw JSONError(reason: .unexpected("expected an instant"), offset: position)
    }
    return instant
  }

  /// Reads the identifier of an object, which is either the object itself or its identifier, or
  /// `null`.
  mutating func readStripeReference() throws -> String? {
    if try readNull() { return nil }
    if isAtString { return try readOptionalString() }
    var id: String?
    try readMember("id") { reader in
      id = try reader.readNull() ? nil : reader.readString()
    }
    return id
  }
}
