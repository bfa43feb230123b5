import Models

extension JSONReader {
  /// Reads an instant as QuickBooks writes it, such as `2014-09-19T13:16:17-07:00`.
  mutating func readQuickBooksInstant() throws -> Timestamp {
    let text = try readString()
    guard let instant = QuickBooksInstant.parse(text) else {
      throw JSONError(reason: .unexpected("not an instant"), offset: position)
    }
    return instant
  }

  /// Reads a day, or `null`.
  mutating func readQuickBooksDay() throws -> CalendarDate? {
    guard let text = try readOptionalString() else { return nil }
    // Some are written with a time or a zone, which a day does not have.
    guard let day = CalendarDate(String(text.prefix(10))) else {
      throw JSONError(reason: .unexpected("not a date"), offset: position)
    }
    return day
  }
}

/// Instants in the zone of the company.
enum QuickBooksInstant {
  /// Reads the form of 25 characters by hand, since one stands in each row; others as RFC 3339.
  static func parse(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    guard bytes.count == 25, bytes[10] == UInt8(ascii: "T"),
      let day = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self)),
      let hour = number(bytes, 11), hour < 24, let minute = number(bytes, 14), minute < 60,
      let second = number(bytes, 17), second <= 60,
      let hours = number(bytes, 20), hours < 24, let minutes = number(bytes, 23), minutes < 60,
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[22] == UInt8(ascii: ":")
    else { return Timestamp(text) }
    let sign: Int64
    switch bytes[19] {
    case UInt8(ascii: "+"): sign = -1
    case UInt8(ascii: "-"): sign = 1
    default: return nil
    }
    let seconds = Int64(day.daysSinceEpoch) * 86_400 + hour * 3_600 + minute * 60 + second
    return Timestamp(
      microsecondsSinceEpoch: (seconds + sign * (hours * 3_600 + minutes * 60)) * 1_000_000)
  }

  private static func number(_ bytes: [UInt8], _ index: Int) -> Int64? {
    guard bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
    return Int64(bytes[index] - UInt8(ascii: "0")) * 10
      + Int64(bytes[index + 1] - UInt8(ascii: "0"))
  }
}
