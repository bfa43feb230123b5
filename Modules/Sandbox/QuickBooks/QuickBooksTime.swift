import Models

/// Instants in QuickBooks' form: in the company's time zone, to the second.
enum QuickBooksTime {
  /// The company's offset from UTC, in hours.
  private static let zone = -8

  static func text(_ instant: Timestamp) -> String {
    instant.truncatedToSecond.adding(seconds: Int64(zone * 3_600)).description.dropLast()
      + "-08:00"
  }

  /// Parses an instant, or a day, which begins in UTC.
  static func instant(_ text: String) -> Timestamp? {
    Timestamp(text) ?? Timestamp(text + "T00:00:00Z")
  }
}
