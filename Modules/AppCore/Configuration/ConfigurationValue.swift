/// A value of the configuration, and its source.
public struct ConfigurationValue: Sendable, Equatable {
  /// The sources of values.
  public enum Source: Sendable, Equatable {
    /// An environment variable.
    case environment(String)
    /// A line of the configuration file.
    case file(String, line: Int?)
    /// The value that appcore uses if nothing sets it.
    case standard
  }

  /// The key, such as `sessions.invoices.timeout.request`.
  public let key: String
  /// The value as text; secrets are never shown.
  public let value: String
  /// The source of the value.
  public let source: Source
}

extension ConfigurationValue.Source: CustomStringConvertible {
  /// The variable with a `$`, the file with its line, or `default`.
  public var description: String {
    switch self {
    case .environment(let name): "$" + name
    case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
    case .standard: "default"
    }
  }
}
