import Foundation
import SystemSupport
import Yams

/// A value of the configuration file, with its file, line and key.
///
/// Every reading method returns a valid value or throws an error with file, line and key: a
/// malformed value never turns into a default.
package struct ConfigurationNode {
  let node: Node
  let source: String
  let key: String
  /// The user's home folder, which `~` means at the beginning of a path.
  let home: String
  /// The place of the key; `nil` if the node has none.
  let keyMark: Mark?

  package init(
    yaml: String, source: String, home: String = NSHomeDirectory(), key: String = ""
  ) throws {
    do {
      // Every value is read as its text, so nothing has to find out the type of each.
      node = try Yams.compose(yaml: yaml, .basic) ?? Node([:])
    } catch let error as YamlError {
      let mistake = YAMLMistake(error, in: yaml)
      throw ConfigurationError(
        source: source, line: mistake.line, column: mistake.column, problem: mistake.problem)
    }
    keyMark = nil
    self.source = source
    self.home = home
    self.key = key
  }

  init(node: Node, key: String, keyMark: Mark? = nil, in parent: ConfigurationNode) {
    self.node = node
    self.keyMark = keyMark
    self.key = key
    source = parent.source
    home = parent.home
  }

  func readKeys<Key: RawRepresentable<String> & CaseIterable>(
    _: Key.Type, _ read: (_ key: Key, _ value: ConfigurationNode) throws -> Void
  ) throws {
    try readEntries { name, value in
      guard let key = Key(rawValue: name) else {
        throw value.unknownKey(name, among: Key.allCases.map(\.rawValue))
      }
      try read(key, value)
    }
  }

  /// Passes each key of a mapping to `read`, for keys that follow from a schema.
  ///
  /// - Throws: ``ConfigurationError`` for a key that is not among `names`; what `read` throws.
  package func readKeys(
    named names: [String], _ read: (_ key: String, _ value: ConfigurationNode) throws -> Void
  ) throws {
    try readEntries { name, value in
      guard names.contains(name) else { throw value.unknownKey(name, among: names) }
      try read(name, value)
    }
  }

  private func unknownKey(_ name: String, among names: [String]) -> ConfigurationError {
    if let meant = NearestWord.to(name, among: names) {
      return keyError("unknown key '\(name)'; did you mean '\(meant)'?")
    }
    return keyError("unknown key '\(name)'; available: " + names.joined(separator: ", "))
  }

  /// Passes each entry of a mapping with free names to `read`.
  package func readEntries(_ read: (_ name: String, _ value: ConfigurationNode) throws -> Void)
    throws
  {
    if case .scalar(let scalar) = node, scalar.string.isEmpty || node.null != nil { return }
    guard case .mapping(let mapping) = node else { throw error("expected a mapping of keys") }
    var seen: Set<String> = []
    for (name, value) in mapping {
      guard let text = name.string else {
        throw ConfigurationError(
          source: source, line: name.mark?.line, column: name.mark?.column, key: key,
          problem: "a key must be a text")
      }
      let child = ConfigurationNode(
        node: value, key: key.isEmpty ? text : key + "." + text, keyMark: name.mark, in: self)
      guard seen.insert(text).inserted else { throw child.keyError("the key is given twice") }
      try read(text, child)
    }
  }

  /// The same without the entries whose value is `null`, at any depth.
  package var withoutNulls: ConfigurationNode {
    func kept(_ node: Node) -> Node {
      guard case .mapping(let mapping) = node else { return node }
      return Node(mapping.filter { $0.value.null == nil }.map { ($0.key, kept($0.value)) })
    }
    return ConfigurationNode(node: kept(node), key: key, keyMark: keyMark, in: self)
  }

  package func text() throws -> String {
    guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
      throw error("expected a text")
    }
    return scalar.string
  }

  func integer(in range: ClosedRange<Int>) throws -> Int {
    guard let value = Int(try text()), range.contains(value) else {
      throw error("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  var elements: [ConfigurationNode]? {
    guard case .sequence(let sequence) = node else { return nil }
    return sequence.map { ConfigurationNode(node: $0, key: key, in: self) }
  }

  package func texts() throws -> [String] {
    guard let elements else { throw error("expected a list of texts") }
    return try elements.map { try $0.text() }
  }

  func duration() throws -> Duration {
    guard let duration = Duration(configurationText: try text()) else {
      throw error("expected a duration such as 500ms, 30s, 5m or 1h")
    }
    return duration
  }

  var line: Int? { node.mark?.line }

  package func error(_ problem: String, hint: Hint? = nil) -> ConfigurationError {
    error(problem, at: node.mark, hint: hint)
  }

  /// Returns an error at the key, whose value may begin on a later line.
  private func keyError(_ problem: String) -> ConfigurationError {
    error(problem, at: keyMark ?? node.mark)
  }

  private func error(_ problem: String, at mark: Mark?, hint: Hint? = nil) -> ConfigurationError {
    ConfigurationError(
      source: source, line: mark?.line, column: mark?.column, key: key, problem: problem, hint: hint
    )
  }
}

extension Duration {
  /// Reads `500ms`, `30s`, `5m` or `1h`; more than zero and at most a day.
  package init?(configurationText text: String) {
    guard let match = text.wholeMatch(of: #/(\d{1,9})(ms|s|m|h)/#)?.output,
      let number = Int64(match.1), number > 0
    else { return nil }
    let duration: Duration =
      switch match.2 {
      case "ms": .milliseconds(number)
      case "m": .seconds(number * 60)
      case "h": .seconds(number * 3_600)
      default: .seconds(number)
      }
    guard duration <= .seconds(86_400) else { return nil }
    self = duration
  }
}

extension ConfigurationNode {
  /// A text with its place in the file, for an error that is found later.
  struct Text {
    let value: String
    let node: ConfigurationNode
  }

  /// Reads a path, or the name of a systemd credential.
  func filePath() throws -> String { Self.expand(try text(), home) }

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
