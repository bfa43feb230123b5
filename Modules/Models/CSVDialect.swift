import Foundation

/// A way to write CSV: for programs, or for the spreadsheet programs of a country.
public enum CSVDialect: Sendable, Equatable {
  /// RFC 4180: UTF-8 and commas, with every value as it is stored.
  case standard
  /// For Excel, LibreOffice and the like: with a byte order mark, by which Excel recognises UTF-8,
  /// and an apostrophe before each text that they would run as a formula.
  ///
  /// With a decimal comma, semicolons separate the fields, as these programs expect.
  case spreadsheet(hasDecimalComma: Bool)

  /// Returns the dialect for spreadsheet programs in a user's locale; `nil` if it is not installed.
  ///
  /// - Parameter environment: the variables of the environment. The first of `LC_ALL`, `LC_NUMERIC`
  ///   and `LANG` that is not empty names the locale.
  public static func spreadsheet(environment: [String: String]) -> CSVDialect? {
    let name = ["LC_ALL", "LC_NUMERIC", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    // Foundation knows fewer locales: a release leaves out its data of other languages.
    guard let locale = newlocale(1 << LC_NUMERIC, name ?? "C", nil) else { return nil }
    defer { freelocale(locale) }
    let sign = nl_langinfo_l(nl_item(RADIXCHAR), locale).map { String(cString: $0) }
    return .spreadsheet(hasDecimalComma: sign == ",")
  }

  /// The text before the first row.
  package var beginning: String { self == .standard ? "" : "\u{FEFF}" }

  /// Returns a row.
  ///
  /// - Parameter isNumber: whether each value is made of numbers that appcore has written.
  package func row(_ values: [String], isNumber: [Bool]) -> String {
    guard case .spreadsheet(let hasDecimalComma) = self else {
      return Self.row(values, separator: UInt8(ascii: ","))
    }
    let cells = zip(values, isNumber).map { value, isNumber in
      guard isNumber else { return Self.guarded(value) }
      return hasDecimalComma ? value.replacing(".", with: ",") : value
    }
    return Self.row(cells, separator: UInt8(ascii: hasDecimalComma ? ";" : ","))
  }

  /// Returns a text that no spreadsheet program takes for a formula (OWASP, "CSV Injection").
  private static func guarded(_ text: String) -> String {
    let begins = text.unicodeScalars.first.map("=+-@\t\r\n＝＋－＠".unicodeScalars.contains) ?? false
    return begins ? "'" + text : text
  }

  private static func row(_ values: [String], separator: UInt8) -> String {
    var row = ""
    for (index, value) in values.enumerated() {
      if index > 0 { row.unicodeScalars.append(Unicode.Scalar(separator)) }
      row += quoted(value, separator)
    }
    return row + "\r\n"
  }

  private static func quoted(_ text: String, _ separator: UInt8) -> String {
    let needsQuotes = text.utf8.contains {
      $0 == 0x22 || $0 == 0x0A || $0 == 0x0D || $0 == separator
    }
    guard needsQuotes else { return text }
    // Compare Unicode scalars: a quote followed by a combining mark is another `Character`, but its
    // byte still has to be doubled.
    let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }
}
