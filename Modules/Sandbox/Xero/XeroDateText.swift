import Models

/// The two ways in which Xero's JSON writes a time.
enum XeroDateText {
  /// The Microsoft JSON form, `/Date(1587912334083+0000)/`: milliseconds since 1970, UTC.
  static func json(_ instant: Timestamp) -> String {
    "/Date(\(instant.microsecondsSinceEpoch / 1_000)+0000)/"
  }

  /// The same form for the midnight, in UTC, that a day begins with.
  static func json(_ day: CalendarDate) -> String {
    "/Date(\(day.daysSinceEpoch * 86_400_000)+0000)/"
  }

  /// The readable form of a day, `2020-04-21T00:00:00`.
  static func text(_ day: CalendarDate) -> String {
    "\(day)T00:00:00"
  }
}
