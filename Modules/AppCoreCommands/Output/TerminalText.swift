import Models

/// Returns text of a server, a file or a database in a form that is safe to display on one line.
func printable(_ text: some StringProtocol) -> String { text.sanitizedForDisplay() }

/// The last filters before text reaches a terminal.
enum TerminalText {
  /// Filters appcore's own lines, whose fields were already filtered one by one.
  static func lines(_ text: String) -> String { text.sanitizedForDisplay(keepingLines: true) }

  /// Breaks lines at words so that they fit a terminal; an indented line stays indented.
  ///
  /// A word that is too long, such as an address, stays whole, and so does ``String/unbroken``: a
  /// command could not be pasted otherwise.
  ///
  /// - Parameter width: the number of columns; `nil` breaks no line.
  static func wrapped(_ text: String, to width: Int?) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      guard let width, DisplayWidth.of(line) > width else { return [String(line)] }
      let indent = String(line.prefix { $0 == " " })
      var words = line.dropFirst(indent.count).split(
        separator: " ", omittingEmptySubsequences: false)[...]
      var lines = [indent + (words.popFirst() ?? "")]
      for word in words {
        let longer = lines[lines.count - 1] + " " + word
        if DisplayWidth.of(longer) <= width {
          lines[lines.count - 1] = longer
        } else {
          lines.append(indent + word)
        }
      }
      return lines
    }
    return lines.joined(separator: "\n").replacing(String.unbrokenSpace, with: " ")
  }

  /// Replaces characters that must not reach a terminal with `\u` escapes; a parser reads the same
  /// value.
  ///
  /// Such characters occur only in strings, where the escapes are allowed (RFC 8259 section 7).
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

  /// Filters a row of CSV, and turns its CRLF line ends into LF.
  static func csv(_ text: String) -> String {
    lines(text.replacing("\r\n", with: "\n"))
  }
}

extension String {
  /// The no-break space, which stands for a space until ``TerminalText/wrapped(_:to:)``.
  fileprivate static let unbrokenSpace = "\u{A0}"

  /// The text with spaces at which no line is broken.
  var unbroken: String { replacing(" ", with: Self.unbrokenSpace) }
}
