import GRDB

/// The beginning of an identifier, as lists show it in place of a name.
struct ShortIdentifier {
  /// The pattern for `GLOB`.
  let pattern: String

  /// - Returns: `nil` for a text that is too short, or that no identifier begins with.
  init?(_ text: String) {
    guard text.count >= LocalDatabase.shortestPrefix,
      !text.contains(where: { $0.isWhitespace || "*?[".contains($0) })
    else { return nil }
    pattern = text + "*"
  }

  /// Creates the beginning of an identifier that is no word of a name: it has a digit.
  init?(orName text: String) {
    guard text.contains(where: \.isNumber) else { return nil }
    self.init(text)
  }
}

extension LocalDatabase {
  /// The length of a shortened identifier, as lists show it.
  package static let shortestPrefix = 8
}
