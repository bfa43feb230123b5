import Models

/// The forms in which Xero writes dates.
enum XeroDate {
  /// Reads `/Date(1587912334083+0000)/`: milliseconds since 1970 in UTC.
  ///
  /// The offset only says in which zone the text was written; it does not move the instant.
  static func instant(_ text: String) -> Timestamp? {
    guard let match = text.wholeMatch(of: #/\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\//#)?.output,
      let milliseconds = Int64(match.1)
    else { return nil }
    return Timestamp(millisecondsSinceEpoch: milliseconds)
  }

  /// Reads a calendar date: `2020-04-21T00:00:00`, or the other form at midnight UTC.
  static func day(_ text: String) -> CalendarDate? {
    if text.hasPrefix("/") { return instant(text)?.utcDay }
    guard text.count == 10 || text.dropFirst(10).first == "T" else { return nil }
    return CalendarDate(String(text.prefix(10)))
  }
}

extension JSONReader {
  mutating func readDay() throws -> CalendarDate? {
    guard let text = try readOptionalString() else { return nil }
    guard let day = XeroDate.day(text) else {
      throw JSONError(reason: .unexpected("not a date"), offset: position)
    }
    return day
  }

  mutating func readInstant() throws -> Timestamp {
    guard let instant = XeroDate.instant(try readString()) else {
      throw JSONError(reason: .unexpected("not an instant"), offset: position)
    }
    return instant
  }
}
