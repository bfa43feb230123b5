import Models

/// Text of a server, a file or a database as a field of what people are shown.
func printable(_ text: some StringProtocol) -> String { text.sanitizedForDisplay() }

/// What standard output and standard error show of a whole text; the last filter before a terminal.
enum TerminalText {
  /// Our own lines, whose fields were filtered one by one.
  static func lines(_ text: String) -> String { text.sanitizedForDisplay(keepingLines: true) }

  /// JSON with `\u` escapes for what must not reach a terminal; the same value to whoever parses
  /// it.
  ///
  /// Such characters stand in strings only, where the escapes are allowed (RFC 8259 section 7).
  static func json(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A }
    guard !isPlain else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isSafeToDisplay || scalar == "\n" {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() {
          let digits = String(unit, radix: 16, uppercase: true)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result
  }

  /// A row of CSV, whose line ends are those of the format.
  static func csv(_ text: String) -> String {
    lines(text.replacing("\r\n", with: "\n"))
  }
}
