public import Foundation

extension ConfigurationError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The correction, from ``fix`` or the place of the value.
  public var recoverySuggestion: String? {
    fix ?? "Correct \(key.map { "\($0) in " } ?? "")\(source)\(line.map { ", line \($0)" } ?? "")."
  }
}
