package import ErrorCodes
package import Models
import Networking

/// The cause of a failed run, as it is stored for the user.
///
/// Only errors with a code are stored in words: the text of any other may hold anything.
package struct RunCause: Sendable, Equatable {
  /// The code of the error, such as `access-denied`.
  package let code: ErrorCode
  /// A sentence without secrets.
  package let text: String
  /// The time from which another try is allowed.
  package let retryAt: Timestamp?

  package init(_ error: any Error) {
    // The list has no other cursor to begin with.
    let error: any Error = error is CursorExpired ? ResourceSync.listNotFound : error
    let coded = error as? any CodedError
    code = coded?.code ?? .unclassified
    text =
      coded.map(\.description).map { $0 + Self.words(of: error) } ?? "\(type(of: error))"
    retryAt = coded?.retryAt.map(Timestamp.init)
  }

  /// Returns the server's words for an error, to be added to its text.
  private static func words(of error: any Error) -> String {
    (error as? any ProviderMessageCarrying)?.providerMessage.map { "; the provider says: \($0)" }
      ?? ""
  }
}

extension SyncReport.Ending {
  /// The code of the failure of a run that ends so.
  package var code: ErrorCode {
    switch self {
    case .unreadable: .unreadableData
    case .rateLimit: .rateLimited
    case .serverBusy: .serverBusy
    case .duration, .limit, .continued: .budgetSpent
    }
  }

  /// The text that is stored with the run, which tells runs apart that spent their budget.
  var storedCode: String { self == .rateLimit ? code.rawValue : rawValue }
}
