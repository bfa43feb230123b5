public import Models

extension JSONReader {
  /// Reads a day as `YYYY-MM-DD`, or `null`.
  public mutating func readOptionalCalendarDate() throws -> CalendarDate? {
    let offset = position
    if try readNull() { return nil }
    guard let day = try readText({ CalendarDate(utf8: $0) }) else {
      throw JSONError(reason: .unexpected("not a date"), offset: offset)
    }
    return day
  }

  /// Reads an instant as RFC 3339 has it.
  public mutating func readTimestamp() throws -> Timestamp {
    let offset = position
    guard let instant = Timestamp(try readString()) else {
      throw JSONError(reason: .unexpected("not an instant"), offset: offset)
    }
    return instant
  }

  /// Reads an instant as RFC 3339 has it, or `null`.
  public mutating func readOptionalTimestamp() throws -> Timestamp? {
    try readNull() ? nil : readTimestamp()
  }
}
