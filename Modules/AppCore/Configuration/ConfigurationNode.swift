import Yams

/// A value of the configuration file, with its file, line and key.
///
/// Every reading method returns a valid value or throws an error with file, line and key: a
/// malformed value never turns into a default.
struct ConfigurationNode {
  let node: Node
  let source: String
  let key: String

  init(yaml: String, source: String) throws {
    do {
      node = try Yams.compose(yaml: yaml) ?? Node([:])
    } catch let error as YamlError {
      throw ConfigurationError(
        source: source, line: error.line, problem: "this is not YAML: \(error.problem)")
    }
    self.source = source
    key = ""
  }

  init(node: Node, source: String, key: String) {
    self.node = node
    self.source = source
    self.key = key
  }

  /// Passes each key of a mapping to `read`.
  ///
  /// - Throws: ``ConfigurationError`` for a key that is not one of `Key`; what `read` throws.
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
  func readKeys(
    named names: [String], _ read: (_ key: String, _ value: ConfigurationNode) throws -> Void
  ) throws {
    try readEntries { name, value in
      guard names.contains(name) else { throw value.unknownKey(name, among: names) }
      try read(name, value)
    }
  }

  private func unknownKey(_ name: String, among names: [String]) -> ConfigurationError {
    error("unknown key '\(name)'; available: " + names.joined(separator: ", "))
  }

  /// Passes each entry of a mapping with free names to `read`.
  func readEntries(_ read: (_ name: String, _ value: ConfigurationNode) throws -> Void) throws {
    if case .scalar(let scalar) = node, scalar.string.isEmpty || node.null != nil { return }
    guard case .mapping(let mapping) = node else { throw error("a mapping of keys is expected") }
    var seen: Set<String> = []
    for (name, value) in mapping {
      guard let text = name.string else {
        throw ConfigurationError(
          source: source, line: name.mark?.line, key: key, problem: "a key has to be a text")
      }
      let child = ConfigurationNode(
        node: value, source: source, key: key.isEmpty ? text : key + "." + text)
      guard seen.insert(text).inserted else { throw child.error("the key comes twice") }
      try read(text, child)
    }
  }

  func text() throws -> String {
    guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
      throw error("a text is expected")
    }
    return scalar.string
  }

  func integer(in range: ClosedRange<Int>) throws -> Int {
    guard let value = Int(try text()), range.contains(value) else {
      throw error("a whole number from \(range.lowerBound) to \(range.upperBound) is expected")
    }
    return value
  }

  /// The elements of a list; `nil` if the value is not a list.
  var elements: [ConfigurationNode]? {
    guard case .sequence(let sequence) = node else { return nil }
    return sequence.map { ConfigurationNode(node: $0, source: source, key: key) }
  }

  func texts() throws -> [String] {
    guard let elements else { throw error("a list of texts is expected") }
    return try elements.map { try $0.text() }
  }

  func duration() throws -> Duration {
    guard let duration = Duration(configurationText: try text()) else {
      throw error("a time such as 500ms, 30s, 5m or 1h is expected")
    }
    return duration
  }

  func error(_ problem: String) -> ConfigurationError {
    ConfigurationError(source: source, line: node.mark?.line, key: key, problem: problem)
  }
}

extension YamlError {
  fileprivate var line: Int? {
    switch self {
    case .reader(_, _, _, _): nil
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
      mark.line
    default: nil
    }
  }

  fileprivate var problem: String {
    switch self {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _),
      .composer(_, let problem, _, _):
      problem
    default: "it cannot be parsed"
    }
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
