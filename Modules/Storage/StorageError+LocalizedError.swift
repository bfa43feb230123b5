public import Foundation

extension StorageError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .full: "Free some disk space and try again. What was stored is kept."
    case .busy: "Try again when the other program has finished."
    case .newerSchema: "Use the newer version that created the file."
    case .corrupt:
      "Start the program again: it renames the file and fetches everything from the provider."
    case .replaced: "Try again: the file that is there now is then used."
    case .foreign: "Choose another file for the database."
    case .sourceMismatch: "Use another account name for the other organisation."
    case .inaccessible, .failed: "Check the folder, its permissions and the disk."
    }
  }
}
