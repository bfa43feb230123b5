/// The number of terminal cells that text takes (Unicode Standard Annex 11).
///
/// The C library's `wcwidth` answers by the process's locale, and the locale `C`, in which services
/// run, knows ASCII alone.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the text if it fits, or its beginning with an ellipsis.
  ///
  /// - Parameter keepsEnd: true to return its beginning and its end with an ellipsis between them.
  static func shortened(_ text: String, to width: Int, keepsEnd: Bool = false) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    let end = keepsEnd ? beginning(of: text.reversed(), within: (width - 1) / 2).reversed() : []
    return String(beginning(of: text, within: width - 1 - end.reduce(0) { $0 + of($1) })) + "…"
      + String(end)
  }

  /// Returns the first characters that fit into so many cells.
  private static func beginning(of text: some Sequence<Character>, within width: Int) -> [Character]
  {
    var used = 0
    return text.prefix { character in
      used += of(character)
      return used <= width
    }
  }

  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard scalars.count > 1, let first = scalars.first else {
      return scalars.first.map(of) ?? 0
    }
    // A sequence of emoji, such as a flag, a family or one with a skin tone, is one picture.
    let isEmoji = first.properties.isEmoji && first.value > 0x7F
    if isEmoji && scalars.dropFirst().contains(where: isEmojiPart) { return 2 }
    return scalars.reduce(0) { $0 + of($1) }
  }

  private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
    default: false
    }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7F: 1
    case 0xAD: 1
    // Vowels and final consonants of Hangul, which join the consonant before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: 0
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: 0
      default: isWide(scalar) ? 2 : 1
      }
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    return scalar.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(scalar.value)
      || wide.contains { $0.contains(scalar.value) }
  }

  /// The blocks of wide and fullwidth characters; emoji among them are known by their property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul consonants
    0x2329...0x232A,  // angle brackets
    0x2E80...0x303E,  // radicals, punctuation
    0x3041...0x3247, 0x3250...0x4DBF,  // Kana, enclosed letters, ideographs
    0x4E00...0xA4CF,  // ideographs, Yi
    0xA960...0xA97F, 0xAC00...0xD7A3,  // Hangul
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19, 0xFE30...0xFE6F,  // vertical and small forms
    0xFF01...0xFF60, 0xFFE0...0xFFE6,  // fullwidth forms
    0x16FE0...0x1B2FF,  // Tangut, Kana
    0x1F200...0x1F265,  // enclosed ideographs
    0x1F93B...0x1F93B, 0x1F946...0x1F946,  // emoji without a presentation
    0x20000...0x3FFFD,  // ideographs
  ]
}
