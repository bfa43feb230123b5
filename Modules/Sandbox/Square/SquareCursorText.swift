/// The cursor of a list, which clients have to return unchanged, whatever characters it contains.
enum SquareCursorText {
  private static let prefix = "row+"
  private static let suffix = "/=="

  static func text(_ start: Int) -> String { prefix + String(start) + suffix }

  /// Returns the row at which the page begins; `nil` if the text is not a cursor.
  static func start(_ text: String) -> Int? {
    guard text.hasPrefix(prefix), text.hasSuffix(suffix) else { return nil }
    return Int(text.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
