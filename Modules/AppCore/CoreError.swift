public import ErrorCodes
public import Foundation

/// An error of the core itself.
public enum CoreError: Error, Sendable, Equatable {
  /// The core was closed; create another one.
  case closed
}

extension CoreError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .closed: .coreClosed
    }
  }

  /// A sentence for the user or a log.
  public var description: String {
    switch self {
    case .closed: "the core is closed"
    }
  }
}

extension CoreError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step that solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .closed: "Restart the program."
    }
  }
}
