import Models
import SystemSupport

/// Amounts, counts and days as a page shows them.
enum AmountText {
  /// Returns an exact sum, with at least the currency's decimals and spaces between thousands.
  static func text(_ sum: DecimalSum, in currency: Currency) -> String {
    grouped(String(sum.description(in: currency).dropLast(4)))
  }

  /// Returns an exact amount in the same form.
  static func text(_ amount: ExactDecimal, in currency: Currency) -> String {
    text(DecimalSum(amount), in: currency)
  }

  /// Returns a number of things.
  static func text(_ count: Int) -> String { grouped(String(count)) }

  /// Returns a number of things with their name, such as `1 invoice` or `2 invoices`.
  static func text(_ count: Int, _ name: String) -> String {
    "\(text(count)) \(name)\(count == 1 ? "" : "s")"
  }

  /// Returns the nearest double, for the length of a bar.
  static func length(_ sum: DecimalSum) -> Double { Double(sum.description) ?? 0 }

  /// Returns a part of a whole in percent, such as `12 %`; empty if there is no whole.
  static func share(_ part: DecimalSum, of whole: DecimalSum) -> String {
    let (part, whole) = (length(part), length(whole))
    guard whole > 0, part >= 0 else { return "" }
    let percent = part / whole * 100
    if percent < 100, percent > 99.5 { return ">\u{202F}99\u{202F}%" }
    if percent > 0, percent < 1 { return "<\u{202F}1\u{202F}%" }
    // An odd amount, such as 1e20 paid of 0.01, says nothing as a share.
    if percent > 9_999 { return ">\u{202F}\(text(9_999))\u{202F}%" }
    return "\(text(Int(clamping: percent)))\u{202F}%"
  }

  /// Groups digits by narrow spaces, which every language reads, and sets a true minus sign.
  private static func grouped(_ digits: String) -> String {
    let isNegative = digits.hasPrefix("-")
    let parts = digits.dropFirst(isNegative ? 1 : 0).split(separator: ".", maxSplits: 1)
    let whole = parts.first.map(Array.init) ?? []
    var text = isNegative ? "\u{2212}" : ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index).isMultiple(of: 3) { text += "\u{202F}" }
      text.append(digit)
    }
    return parts.count > 1 ? text + "." + parts[1] : text
  }
}

extension CalendarDate {
  /// The day as text, such as `2 Jan 2026`.
  var text: String { "\(day) \(CalendarMonth(of: self).name) \(year)" }
}

extension CalendarMonth {
  /// The month's short name, such as `Jan`.
  var name: String { Self.names[month - 1] }

  private static let names = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The number of months since the year 0.
  var ordinal: Int { year * 12 + month - 1 }

  /// Creates a month from its ``ordinal``; `nil` outside the years 1 to 9999.
  init?(ordinal: Int) {
    guard let first = CalendarDate(year: ordinal / 12, month: ordinal % 12 + 1, day: 1) else {
      return nil
    }
    self.init(of: first)
  }
}
