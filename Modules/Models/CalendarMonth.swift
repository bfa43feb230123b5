/// A month of a year in the proleptic Gregorian calendar, such as that of an issue date.
public struct CalendarMonth: Sendable, Hashable {
  /// The year, 1 through 9999.
  public let year: Int
  /// The month, 1 through 12.
  public let month: Int

  /// Creates the month of a day.
  public init(of date: CalendarDate) {
    year = date.year
    month = date.month
  }

  init(year: Int, month: Int) {
    (self.year, self.month) = (year, month)
  }

  /// Parses `YYYY-MM` (ISO 8601); `nil` if the text has any other form.
  public init?(_ description: String) {
    guard let first = CalendarDate(description + "-01") else { return nil }
    self.init(of: first)
  }
}

extension CalendarMonth: CustomStringConvertible, Comparable {
  /// The month as `YYYY-MM`.
  public var description: String { "\(padded(year, to: 4))-\(padded(month, to: 2))" }

  /// Orders months from earlier to later.
  public static func < (left: CalendarMonth, right: CalendarMonth) -> Bool {
    (left.year, left.month) < (right.year, right.month)
  }
}

extension CalendarMonth: Codable {
  /// Decodes from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let month = CalendarMonth(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not YYYY-MM")
    }
    self = month
  }

  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
