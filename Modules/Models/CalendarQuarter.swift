/// A quarter of a calendar year, such as that of an issue date.
public struct CalendarQuarter: Sendable, Hashable {
  /// The year, 1 through 9999.
  public let year: Int
  /// The quarter, 1 through 4.
  public let quarter: Int

  /// Creates the quarter of a month.
  public init(of month: CalendarMonth) {
    year = month.year
    quarter = (month.month + 2) / 3
  }

  /// Parses a quarter such as `2026-Q1`, in any case.
  public init?(_ description: String) {
    let parts = description.lowercased().split(separator: "-q", omittingEmptySubsequences: false)
    guard parts.count == 2, let quarter = Int(parts[1]), (1...4).contains(quarter),
      parts[1].count == 1, let month = CalendarMonth("\(parts[0])-01")
    else { return nil }
    (year, self.quarter) = (month.year, quarter)
  }

  var firstMonth: CalendarMonth { CalendarMonth(year: year, month: 3 * quarter - 2) }
}

extension CalendarQuarter: CustomStringConvertible, Comparable {
  /// The quarter as `2026-Q1`.
  public var description: String { "\(padded(year, to: 4))-Q\(quarter)" }

  /// Orders quarters from earlier to later.
  public static func < (left: CalendarQuarter, right: CalendarQuarter) -> Bool {
    (left.year, left.quarter) < (right.year, right.quarter)
  }
}

extension CalendarQuarter: Encodable {
  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
