import AppCore
import CAppCore
import ErrorCodes
import Models
import Presentation

/// A call that cannot be carried out as it was made.
enum Misuse: FailureConvertible {
  /// The handle is no core, or its core is closed.
  case badHandle
  /// A text is not UTF-8, or is missing.
  case badText(parameter: String)
  /// A value is none of those that the parameter can have.
  case badArgument(message: String)
  /// The core never gave out a request of this number.
  case badRequest
  /// Too many requests have not ended, or their last events were not fetched.
  case tooManyRequests
  /// The process has another core with the same logins.
  case alreadyOpen
  /// The process is a child of fork(2), whose parent opened a core.
  case forked
  /// The file descriptor of the events cannot be created.
  case noDescriptor(reason: String)

  package var failure: Failure {
    switch self {
    case .badHandle: Failure(.badHandle, "the handle is no open core")
    case .badText(let parameter): Failure(.badText, "\(parameter) is missing or is not UTF-8")
    case .badArgument(let message): Failure(.badArgument, message)
    case .badRequest: Failure(.badRequest, "the core has no request of this number")
    case .tooManyRequests:
      Failure(
        .tooManyRequests,
        "\(OpenCore.mostRequests) requests are under way, or their events were not fetched",
        "Fetch the events of earlier requests, or cancel those requests.")
    case .alreadyOpen:
      Failure(
        .alreadyOpen, "this process has a core with the same logins",
        "Use its handle, from any number of threads.")
    case .forked:
      Failure(
        .forked, "after a fork, only the parent can use appcore",
        "Fork before the first core is opened, or start a new program.")
    case .noDescriptor(let reason):
      Failure(.noDescriptor, "cannot create a file descriptor: \(reason)")
    }
  }
}
