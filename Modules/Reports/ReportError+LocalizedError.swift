public import Foundation

extension ReportError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .full: "Free some disk space and try again. An earlier report is unchanged."
    case .inaccessible: "Check the file, its folder and permissions, or choose another file."
    }
  }
}
