import AppCore
import Authentication
import Documents
import ErrorCodes

/// A pasted address that ends no sign-in.
enum RefusedRedirect: FailureConvertible {
  /// The text is not the address of a redirect to this program.
  case notRedirect
  /// The address belongs to another sign-in, or is incomplete.
  case foreign
  /// The request waits for no redirect.
  case notExpected

  /// Creates the refusal that a result stands for; `nil` if the address was accepted.
  init?(_ result: PastedRedirect?) {
    switch result {
    case .accepted: return nil
    case .notRedirect: self = .notRedirect
    case .foreign: self = .foreign
    case nil: self = .notExpected
    }
  }

  package var failure: Failure {
    switch self {
    case .notRedirect:
      Failure(
        .notRedirect, "this is not the address the browser ended on",
        "Copy the whole address of the browser's last page; it has code= and state= in it.")
    case .foreign:
      Failure(
        .foreignRedirect,
        "this address belongs to another sign-in, or its end is missing",
        "Visit the page of this sign-in, and copy the address the browser ends on.")
    case .notExpected:
      Failure(.noRedirectExpected, "the request waits for no redirect")
    }
  }
}
