import Models

/// The forms in which Xero writes dates.
enum XeroDate {
  /// Reads `/Date(1587912334083+0000)/`: milliseconds since 1970 in UTC.
  ///
  /// The offset only says in which zone the text was written; it does not move the instant.
  static func instant(_ text: String) -> Timestamp? {
    // By hand: four of them stand in each row, and a regular expression costs more than all the rest.
    var rest = text.utf8[...]
    guard take("/Date(", from: &rest) else { return nil }
    let isNegative = take("-", from: &rest)
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...16).contains(digits.count) else { return nil }
    let milliseconds = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    rest = rest.dropFirst(digits.count)
    if take("+", from: &rest) || take("-", from: &rest) {
      let offset = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard offset.count == 4 else { return nil }
      rest = rest.dropFirst(4)
    }
    guard take(")/", from: &rest), rest.isEmpty else { return nil }
    return Timestamp(millisecondsSinceEpoch: isNegative ? -milliseconds : milliseconds)
  }

  private static func take(_ word: String, from rest: inout Substring.UTF8View) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
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
