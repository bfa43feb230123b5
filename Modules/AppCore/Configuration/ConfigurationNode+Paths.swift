extension ConfigurationNode {
  /// A text with its place in the file, for an error that is found later.
  struct Text {
    let value: String
    let node: ConfigurationNode
  }

  /// Reads a text and keeps its place.
  func locatedText() throws -> Text { Text(value: try text(), node: self) }

  /// Reads a path, or the name of a systemd credential.
  func filePath() throws -> String { Self.expand(try text(), home) }

  /// Reads a list of paths.
  func filePaths() throws -> [String] { try texts().map { Self.expand($0, home) } }

  /// Reads a path from the root or from the home folder.
  func absolutePath() throws -> String {
    let path = try filePath()
    guard path.hasPrefix("/") else { throw error("expected an absolute path, or one below ~/") }
    return path
  }

  /// Returns a path with `~/` at its beginning replaced by the home folder.
  static func expand(_ path: String, _ home: String) -> String {
    path.hasPrefix("~/") ? home + path.dropFirst() : path
  }
}
