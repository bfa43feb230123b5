import Models

/// Instants as QuickBooks writes them: in the zone of the company, to the second.
enum QuickBooksTime {
  /// The company's offset from UTC, in hours.
  private static let zone = -8

  static func text(_ instant: Timestamp) -> String {
    instant.truncatedToSecond.adding(seconds: Int64(zone * 3_600)).description.dropLast()
      + "-08:00"
  }

  /// Reads an instant, or a day that begins in UTC.
  static func instant(_ text: String) -> Timestamp? {
    Timestamp(text) ?? Timestamp(text + "T00:00:00Z")
  }
}
