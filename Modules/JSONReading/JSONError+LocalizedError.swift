public import ErrorCodes
public import Foundation

extension JSONError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode { .unreadableData }

  /// The place of the error and its explanation, without any of the parsed text.
  public var description: String {
    (path.isEmpty ? "byte \(offset)" : pathDescription) + ": " + explanation
  }
}

extension JSONError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    isMalformed
      ? "Try again. If it happens again, a proxy may change the response."
      : "The provider may have changed its API. Look for a newer version."
  }
}
