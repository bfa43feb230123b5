import Sync

/// A description that cannot be used, and where in it.
package struct RESTDescriptionError: Error, Sendable, Equatable {
  /// The keys that lead there, from where the reading of it began.
  package var keys: [String]
  /// What is wrong, and what would be right.
  package let problem: String

  package init(_ keys: String..., problem: String) {
    self.keys = keys
    self.problem = problem
  }

  /// The same, seen from further out.
  func inside(_ key: String) -> RESTDescriptionError {
    var error = self
    error.keys.insert(key, at: 0)
    return error
  }
}
