public import ErrorCodes

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
