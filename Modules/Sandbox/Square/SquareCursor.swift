/// The cursor of a list, which clients are to send back as it is, with whatever characters it has.
enum SquareCursor {
  private static let prefix = "row+"
  private static let suffix = "/=="

  static func text(_ start: Int) -> String { prefix + String(start) + suffix }

  /// The row at which the page begins, or `nil` where the text is no cursor.
  static func start(_ text: String) -> Int? {
    guard text.hasPrefix(prefix), text.hasSuffix(suffix) else { return nil }
    return Int(text.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
