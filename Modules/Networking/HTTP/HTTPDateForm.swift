import Foundation
import Glibc

/// A form of date, compared byte by byte.
///
/// Nearly every response has a date; a regular expression and a calendar would take longer than
/// parsing the page that comes with it.
struct HTTPDateForm {
  /// `A` and `a` stand for any letter, `X` and `x` for those of the month; `d`, `y`, `h`, `m` and
  /// `s` for digits, `_` for one that may be a blank; everything else for itself.
  private let form: String

  init(_ form: String) {
    self.form = form
  }

  /// Parses a date; returns `nil` if the text has another form or the date does not exist.
  ///
  /// - Parameter century: completes the written year.
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
    guard let month = Self.months.firstIndex(of: name), hour < 24, minute < 60, second < 60 else {
      return nil
    }
    year = century(year)
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1_900), Int32(month), Int32(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    let seconds = timegm(&parts)
    // A day that does not exist becomes one of the next month.
    guard year > 0, parts.tm_mon == month, parts.tm_mday == day else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static let months = HTTPDate.months.map { Array($0.utf8) }

  private func add(_ byte: UInt8, _ number: inout Int) -> Bool {
    let digit = byte &- UInt8(ascii: "0")
    guard digit <= 9 else { return false }
    number = number * 10 + Int(digit)
    return true
  }
}
