extension StringProtocol {
  /// Returns the text with U+FFFD in place of characters that could control a terminal, reorder a
  /// line or be invisible.
  ///
  /// It is for every text that comes from outside: from a server, a file or a database. It replaces
  /// the categories Cc, Cf, Zl, Zp, Cs, Co and Cn of the Unicode Standard: control characters,
  /// including line ends and escape sequences, and controls of writing direction. U+200C and
  /// U+200D, which join words and emoji, stay.
  ///
  /// - Parameter keepingLines: true to keep U+000A, for appcore's own texts of several lines.
  public func sanitizedForDisplay(keepingLines: Bool = false) -> String {
    let isPlain = utf8.allSatisfy { 0x20...0x7E ~= $0 || keepingLines && $0 == 0x0A }
    guard !isPlain else { return String(self) }
    let scalars = unicodeScalars.map { scalar in
      scalar.isSafeToDisplay || keepingLines && scalar == "\n" ? scalar : "\u{FFFD}"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension Unicode.Scalar {
  /// True if the character can be shown unchanged.
  package var isSafeToDisplay: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .format: value == 0x200C || value == 0x200D
    default: true
    }
  }
}
