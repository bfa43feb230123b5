import Foundation

/// A form of date, byte for byte.
///
/// By hand: nearly every answer has a date, and a regular expression and a calendar cost more than the
/// reading of the page that comes with it.
struct HTTPDateForm {
  /// `A` and `a` stand for any letter, `X` and `x` for those of the month; `d`, `y`, `h`, `m` and `s`
  /// for digits, `_` for one that may be a blank; everything else for itself.
  private let form: String

  init(_ form: String) {
    self.form = form
  }

  /// Reads a date, or answers `nil` where it is none in this form or does not exist.
  ///
  /// - Parameter century: makes a whole year of the one that is written.
  func date(_ text: ArraySlice<UInt8>, year century: (Int) -> Int = { $0 }) -> Date? {
    guard text.count == form.utf8.count else { return nil }
    var (day, year, hour, minute, second) = (0, 0, 0, 0, 0)
    var name: [UInt8] = []
    for (byte, sign) in zip(text, form.utf8) {
      switch sign {
      case UInt8(ascii: "A"): guard Self.isUpper(byte) else { return nil }
      case UInt8(ascii: "a"): guard Self.isLower(byte) else { return nil }
      case UInt8(ascii: "X"), UInt8(ascii: "x"): name.append(byte)
      case UInt8(ascii: "_"): guard byte == UInt8(ascii: " ") || add(byte, &day) else { return nil }
      case UInt8(ascii: "d"): guard add(byte, &day) else { return nil }
      case UInt8(ascii: "y"): guard add(byte, &year) else { return nil }
      case UInt8(ascii: "h"): guard add(byte, &hour) else { return nil }
      case UInt8(ascii: "m"): guard add(byte, &minute) else { return nil }
      case UInt8(ascii: "s"): guard add(byte, &second) else { return nil }
      default: guard byte == sign else { return nil }
      }
    }
    guard let month = Self.months.firstIndex(of: name), hour < 24, minute < 60, second < 60,
      let days = Self.days(year: century(year), month: month + 1, day: day)
    else { return nil }
    return Date(
      timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
  }

  static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }

  private func add(_ byte: UInt8, _ number: inout Int) -> Bool {
    let digit = byte &- UInt8(ascii: "0")
    guard digit <= 9 else { return false }
    number = number * 10 + Int(digit)
    return true
  }

  /// Days since 1970 of a day that exists.
  private static func days(year: Int, month: Int, day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year > 0, (1...lengths[month - 1]).contains(day) else { return nil }
    // Years that begin in March, so that the day of a leap year is their last.
    let (shifted, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (months * 153 + 2) / 5
      + day
      - 719_469
  }
}
