import Models

/// The two forms of a time in Xero's JSON.
enum XeroDateText {
  /// Returns the Microsoft JSON form, `/Date(1587912334083+0000)/`: milliseconds since 1970, UTC.
  static func json(_ instant: Timestamp) -> String {
    "/Date(\(instant.microsecondsSinceEpoch / 1_000)+0000)/"
  }

  /// Returns the same form for the midnight, in UTC, with which a day begins.
  static func json(_ day: CalendarDate) -> String {
    "/Date(\(day.daysSinceEpoch * 86_400_000)+0000)/"
  }

  /// Returns the readable form of a day, `2020-04-21T00:00:00`.
  static func text(_ day: CalendarDate) -> String {
    "\(day)T00:00:00"
  }
}
