public import Foundation
import SystemSupport

extension DownloadError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .refused(status: 401), .refused(status: 403):
      "Sign in again and grant access to the file."
    case .refused(status: 404), .refused(status: 410): "Check that the provider still has the file."
    case .refused: "Try again later."
    case .unwritable(_, let underlying) where SystemErrorText.isFull(underlying):
      "Free some disk space and try again. What was received is kept."
    case .unwritable: "Check the folder and its permissions, or choose another file."
    case .busy: "Wait for the other download to end, or choose another file."
    }
  }
}
