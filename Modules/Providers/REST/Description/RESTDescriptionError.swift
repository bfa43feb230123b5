import Sync

/// An error in a description, with the keys that lead to it.
package struct RESTDescriptionError: Error, Sendable, Equatable {
  /// The keys that lead to the error, outermost first, relative to the validated part.
  package var keys: [String]
  /// The error, and what to write instead.
  package let problem: String

  package init(_ keys: String..., problem: String) {
    self.keys = keys
    self.problem = problem
  }

  /// Returns the same error with one more outer key.
  func inside(_ key: String) -> RESTDescriptionError {
    var error = self
    error.keys.insert(key, at: 0)
    return error
  }
}
