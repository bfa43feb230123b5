extension StringProtocol {
  /// Returns the text as people may be shown it, with U+FFFD in place of what could steer a
  /// terminal, reorder a line or hide in it.
  ///
  /// For every text that comes from outside: from a server, a file or a database. Replaced are the
  /// categories Cc, Cf, Zl, Zp, Cs, Co and Cn of the Unicode Standard, so control characters with
  /// line ends and escape sequences, and the controls of writing direction; U+200C and U+200D,
  /// which words and emoji are joined with, stay.
  ///
  /// - Parameter keepingLines: whether U+000A stays, for a text of several lines that is our own.
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
  /// True if the character can be shown as it is.
  package var isSafeToDisplay: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .format: value == 0x200C || value == 0x200D
    default: true
    }
  }
}
