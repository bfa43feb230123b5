import Yams

/// The place and the description of a mistake in a text that is not YAML.
struct YAMLMistake {
  let line: Int?
  let column: Int?
  let problem: String

  init(_ error: YamlError, in yaml: String) {
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      line = mark.line
      column = mark.column
      let indent = lines.dropFirst(max(0, mark.line - 1)).first?.prefix { $0.isWhitespace } ?? ""
      self.problem =
        indent.contains("\t")
        ? "indent with spaces, not tabs" : "not valid YAML: \(problem)"
    case .duplicatedKeysInMapping(let keys, let context):
      let key = keys.first ?? ""
      let first = context.mark
      let second = Self.repetition(of: key, first, in: lines)
      line = second ?? first.line
      column = second.map { _ in first.column }
      problem =
        "'\(key)' is given twice" + (second.map { _ in " (first on line \(first.line))" } ?? "")
    case .reader(let reason, _, _, _):
      (line, column) = (nil, nil)
      problem = "not valid YAML: \(reason)"
    default:
      (line, column) = (nil, nil)
      problem = "not valid YAML"
    }
  }

  /// Returns the line on which a key of the same mapping follows its first occurrence; `nil` if
  /// they are on one line.
  private static func repetition(
    of key: String, _ first: Mark, in lines: [Substring]
  ) -> Int? {
    for (number, line) in zip(1..., lines).dropFirst(max(0, first.line)) {
      guard line.unicodeScalars.prefix(while: { $0 == " " }).count == first.column - 1 else {
        continue
      }
      let name = line.drop { $0 == " " }.prefix { $0 != ":" }.filter { !"\"' ".contains($0) }
      if name == key.filter({ !"\"' ".contains($0) }) { return number }
    }
    return nil
  }
}
