public import ErrorCodes
public import Foundation
import SystemSupport
import Yams

/// An error in the configuration, with the place to correct.
public struct ConfigurationError: Error, Sendable, Equatable {
  /// The file, or the environment variable or flag, that holds the value.
  public let source: String
  /// The line in the file, counted from 1.
  public let line: Int?
  /// The column in the line, counted from 1.
  public let column: Int?
  /// The key, such as `sessions.invoices.timeout.request`.
  public let key: String?
  /// The problem with the value, and what is expected instead.
  public let problem: String
  /// The fix as sentences and commands.
  package let hint: Hint?
  /// A command or a change that solves the problem; `nil` if ``problem`` says what is expected.
  public var fix: String? { hint?.text() }

  /// Creates an error.
  public init(
    source: String, line: Int? = nil, column: Int? = nil, key: String? = nil, problem: String,
    fix: String? = nil
  ) {
    self.init(
      source: source, line: line, column: column, key: key, problem: problem,
      hint: fix.map { Hint($0) })
  }

  /// The problem with a name that no account can have.
  package static let nameExpectation = "expected a name of 1 to 64 letters, digits, '.', '_' or '-'"

  /// Returns the error of a new name that an account has already.
  static func nameTaken(
    source: String, key: String? = nil, fix: String = "Choose another name."
  ) -> ConfigurationError {
    ConfigurationError(
      source: source, key: key, problem: "there is such an account already", fix: fix)
  }

  /// Creates an error whose fix has commands.
  package init(
    source: String, line: Int? = nil, column: Int? = nil, key: String? = nil, problem: String,
    hint: Hint?
  ) {
    self.source = source
    self.line = line
    self.column = column
    self.key = key
    self.problem = problem
    self.hint = hint
  }
}

extension ConfigurationError {
  /// Creates an error with the system's reason for it.
  init(source: String, problem: String, reason: any Error) {
    self.init(
      source: source,
      problem: problem + (SystemErrorText.of(reason).map { ": \($0)" } ?? ""))
  }
}

extension ConfigurationError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode { .configuration }

  /// `file:line:column: key: problem`.
  public var description: String {
    let place = ([source] + [line, column].compactMap { $0.map(String.init) })
      .joined(separator: ":")
    return [place, key, problem].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension ConfigurationError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The correction, from ``fix`` or the place of the value.
  public var recoverySuggestion: String? {
    fix ?? "Correct \(key.map { "\($0) in " } ?? "")\(source)\(line.map { ", line \($0)" } ?? "")."
  }
}

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
