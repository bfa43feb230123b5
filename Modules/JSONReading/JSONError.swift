public import ErrorCodes
public import Foundation

/// The reason why a JSON text cannot be read, and the position.
public struct JSONError: Error, Sendable, Equatable {
  /// The kind of error.
  public enum Reason: Sendable, Equatable {
    /// The bytes are not JSON, or end too early; nothing after this position can be trusted.
    case malformed(String)
    /// The value is not the expected one, or a word that JSON lacks, such as `NaN`; the values
    /// around it can be read.
    case unexpected(String)
  }

  /// The reason.
  public let reason: Reason
  /// The offset of the error in the bytes.
  public let offset: Int
  /// The keys and indexes that lead to the position, outermost first.
  public var path: [String] = []

  /// True if the object around the value cannot be used either, as with a duplicate key.
  let concernsObject: Bool

  /// True if only the value is at fault, so that an optional one can be left out.
  var concernsValue: Bool { !isMalformed && !concernsObject }

  package init(reason: Reason, offset: Int, path: [String] = [], concernsObject: Bool = false) {
    self.reason = reason
    self.offset = offset
    self.path = path
    self.concernsObject = concernsObject
  }

  /// The path in its usual form, such as `LineItems[2].Quantity`.
  public var pathDescription: String {
    path.reduce(into: "") { text, part in
      text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    }
  }

  /// True if the bytes are not JSON, so that nothing after this position can be read either.
  public var isMalformed: Bool {
    if case .malformed = reason { true } else { false }
  }

  /// The description of the error, without any of the parsed text.
  public var explanation: String {
    switch reason {
    case .malformed(let what), .unexpected(let what): what
    }
  }
}

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
