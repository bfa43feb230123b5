import JSONReading
import Models
import Sync

/// A page of one of Xero's lists.
struct XeroPage<List: XeroList> {
  private(set) var records: [List.Record] = []
  private(set) var failures: [RowFailure] = []
  private(set) var pageCount: Int?
  private(set) var itemCount: Int?

  private var skipped = 0

  var count: Int { records.count + failures.count + skipped }

  init() {}

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter capacity: the largest number of rows.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page as a whole is malformed.
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

/// The formats in which Xero writes dates.
enum XeroDate {
  /// Returns the instant in `/Date(1587912334083+0000)/`: milliseconds since 1970 in UTC.
  ///
  /// The offset only states the zone in which the text was written; it does not move the instant.
  /// The parser is written by hand because each row has four such dates, and a regular expression
  /// would cost more than everything else.
  static func instant(_ text: Span<UInt8>) -> Timestamp? {
    var position = 0
    guard takes("/Date(", text, &position) else { return nil }
    let isNegative = takes("-", text, &position)
    let (milliseconds, count) = digits(text, &position)
    guard (1...16).contains(count) else { return nil }
    if takes("+", text, &position) || takes("-", text, &position) {
      guard digits(text, &position).count == 4 else { return nil }
    }
    guard takes(")/", text, &position), position == text.count else { return nil }
    return Timestamp(millisecondsSinceEpoch: isNegative ? -milliseconds : milliseconds)
  }

  private static func takes(
    _ word: StaticString, _ text: Span<UInt8>, _ position: inout Int
  ) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= text.count else { return false }
    for index in position..<end where text[index] != word.utf8Start[index - position] {
      return false
    }
    position = end
    return true
  }

  private static func digits(
    _ text: Span<UInt8>, _ position: inout Int
  ) -> (value: Int64, count: Int) {
    var (value, count) = (Int64(0), 0)
    while position < text.count, count <= 16 {
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      value = value * 10 + Int64(digit)
      position += 1
      count += 1
    }
    return (value, count)
  }

  /// Returns the date in `2020-04-21T00:00:00`, or the day in UTC of an instant as ``instant(_:)``
  /// reads it.
  static func day(_ text: Span<UInt8>) -> CalendarDate? {
    if !text.isEmpty, text[0] == UInt8(ascii: "/") { return instant(text)?.utcDay }
    // Credit notes and money on account have a space in the place of the T.
    guard text.count >= 10,
      text.count == 10 || text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ")
    else {
      return nil
    }
    return CalendarDate(utf8: text.extracting(0..<10))
  }
}

extension JSONReader {
  mutating func readXeroDay() throws -> CalendarDate? {
    try readOptionalText(XeroDate.day).flatMap { $0.isPlaceholder ? nil : $0 }
  }

  mutating func readXeroInstant() throws -> Timestamp {
    guard let instant = try readText(XeroDate.instant) else {
      throw JSONError(reason: .unexpected("not an instant"), offset: position)
    }
    return instant
  }
}
