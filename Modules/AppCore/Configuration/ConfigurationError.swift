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
  /// A command or a change that solves the problem; `nil` if ``problem`` says what is expected.
  public let fix: String?

  /// Creates an error.
  public init(
    source: String, line: Int? = nil, column: Int? = nil, key: String? = nil, problem: String,
    fix: String? = nil
  ) {
    self.source = source
    self.line = line
    self.column = column
    self.key = key
    self.problem = problem
    self.fix = fix
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// `file:line:column: key: problem`.
  public var description: String {
    let place = ([source] + [line, column].compactMap { $0.map(String.init) })
      .joined(separator: ":")
    return [place, key, problem].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
