public import Foundation

extension JSONError: LocalizedError {
  /// The place of the error and its explanation, without any of the parsed text.
  public var errorDescription: String? {
    (path.isEmpty ? "byte \(offset)" : pathDescription) + ": " + explanation
  }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    isMalformed
      ? "Try again. If it happens again, a proxy may change the response."
      : "The provider may have changed its API. Look for a newer version."
  }
}
