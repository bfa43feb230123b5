public import ErrorCodes
public import Foundation
public import Models
public import Networking

/// An error that ends a sync, one case for each way to recover.
///
/// Errors of the session, the authenticator and the database pass through as they are.
public enum SyncError: Error, Sendable {
  /// The server's answer differs from its documentation and cannot be read; with the server's words
  /// if it may be a refusal.
  case unreadable(part: String, reason: String, message: ProviderMessage? = nil)
  /// The server does not accept the credentials, not even fresh ones.
  case credentialsRejected(message: ProviderMessage? = nil)
  /// The sign-in is valid, but may not read this organisation or these rows.
  case accessDenied(status: Int, message: ProviderMessage? = nil)
  /// The server does not know the address of a list, which comes from a key of the configuration.
  case unknownAddress(path: String, key: String, message: ProviderMessage? = nil)
  /// The server answered with an error that a retry may avoid.
  case serverFailed(status: Int, message: ProviderMessage? = nil)
  /// The server, or its published limit, requires a retry later; what was read is stored.
  case rateLimited(retryAt: Timestamp?)
  /// The server is unavailable and names the time at which to retry; what was read is stored.
  case serverBusy(retryAt: Timestamp?)
  /// The login reaches several organisations and none was chosen, or it does not reach the chosen
  /// one.
  case organisationUnclear(available: [String])
  /// The organisation has to be named, and the server cannot list the available ones.
  case organisationMissing(whereToFind: String)
  /// The account holds records from before this sign-in, or from before the list had this address,
  /// and the server cannot say whether they belong to the same organisation: the user has to.
  case organisationUnproven(account: String, holding: String)
  /// Another sign-in has replaced the one with which the run began; what was read before is stored.
  case signInChanged(account: String)
  /// The server's list lacks so many of the stored records that an error is likelier than
  /// deletions; nothing was deleted.
  case massDeletion(records: Int, of: Int)
  /// Another process is syncing this account.
  case alreadyRunning(account: String)
  /// The options of the run contradict each other; nothing was read.
  case contradictoryOptions(reason: String)

  /// The reason of ``unreadable(part:reason:message:)`` for a response that is a web page.
  package static let webPage = "it is a web page, from a captive portal or a proxy"

  /// Returns true if a status means that the same request would fail again.
  package static func isRejection(_ status: Int) -> Bool {
    // 408 is a time-out, and 425 asks for the request again (RFC 8470 section 5.2).
    (400...499).contains(status) && status != 408 && status != 425
  }
}

extension SyncError: ProviderMessageCarrying {
  /// The server's own words, if the error is about one of its answers.
  public var providerMessage: ProviderMessage? {
    switch self {
    case .credentialsRejected(let message), .accessDenied(_, let message),
      .serverFailed(_, let message), .unknownAddress(_, _, let message),
      .unreadable(_, _, let message):
      message
    default: nil
    }
  }

  /// Returns the error with the words of the answer that it is about, unless it has some.
  func saying(_ message: @autoclosure () -> ProviderMessage?) -> SyncError {
    switch self {
    case .credentialsRejected(nil): .credentialsRejected(message: message())
    case .accessDenied(let status, nil): .accessDenied(status: status, message: message())
    case .serverFailed(let status, nil): .serverFailed(status: status, message: message())
    default: self
    }
  }
}

extension SyncError {
  /// The end of a run whose server asks to retry later, and the time that it names; `nil` for any
  /// other error.
  var postponement: (ending: SyncReport.Ending, retryAt: Timestamp?)? {
    switch self {
    case .rateLimited(let retryAt): (.rateLimit, retryAt)
    case .serverBusy(let retryAt): (.serverBusy, retryAt)
    default: nil
    }
  }

  /// Returns the error with another time at which to retry.
  func postponed(until instant: Timestamp) -> SyncError {
    if case .serverBusy = self { return .serverBusy(retryAt: instant) }
    return .rateLimited(retryAt: instant)
  }
}

extension SyncError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .unreadable: .unreadableData
    case .credentialsRejected: .credentialsRejected
    case .accessDenied: .accessDenied
    case .unknownAddress: .unknownAddress
    case .serverFailed(let status, _): Self.isRejection(status) ? .requestRejected : .serverFailed
    case .rateLimited: .rateLimited
    case .serverBusy: .serverBusy
    case .organisationUnclear, .organisationMissing: .organisationUnclear
    case .organisationUnproven: .organisationUnproven
    case .signInChanged: .signInChanged
    case .massDeletion: .massDeletion
    case .alreadyRunning: .alreadyRunning
    case .contradictoryOptions: .contradictoryOptions
    }
  }

  /// The time that the server names for another try.
  public var retryAt: Date? { postponement?.retryAt?.date }

  /// A sentence for the user; it repeats nothing that the server sent.
  public var description: String {
    switch self {
    case .unreadable(let part, let reason, _):
      "cannot read the provider's response: \(part): \(reason)"
    case .credentialsRejected: "the provider rejected the access token"
    case .unknownAddress(let path, _, _):
      "the provider has no list at \(path) (status 404)"
    case .accessDenied(status: 404, _): "not found at the provider (status 404)"
    case .accessDenied(let status, _): "the provider denied access (status \(status))"
    case .serverFailed(let status, _) where Self.isRejection(status):
      "the provider rejected the request (status \(status))"
    case .serverFailed(let status, _): "the provider's server failed (status \(status))"
    case .rateLimited, .serverBusy: sentence.description
    case .organisationUnclear(let available):
      available.isEmpty
        ? "the login reaches no organisation that this account can read"
        : "choose one of the organisations that the login reaches: " + Self.list(available)
    case .organisationMissing(let source): "the organisation is unknown: \(source)"
    case .organisationUnproven(let account, let holding):
      "account '\(account)' holds \(holding), and the provider does not say whether its new "
        + "sign-in or address belongs to the same organisation"
    case .signInChanged(let account):
      "account '\(account)' was signed in again during its sync"
    case .massDeletion(let records, let total):
      "the provider's list lacks \(records) of \(total) stored records; nothing was deleted"
    case .alreadyRunning(let account): "another sync of account '\(account)' is running"
    case .contradictoryOptions(let reason): "the options of the sync contradict: \(reason)"
    }
  }

  /// The description, in which the time for another try stands apart.
  package var sentence: Sentence {
    switch self {
    case .rateLimited(let retryAt): Self.postponed("rate limit reached", retryAt)
    case .serverBusy(let retryAt):
      Self.postponed("the provider's server is busy (status 503)", retryAt)
    default: Sentence(description)
    }
  }

  private static func postponed(_ cause: Sentence, _ retryAt: Timestamp?) -> Sentence {
    cause + (retryAt.map { "; try again at \($0)" } ?? "; try again later")
  }

  /// Names the first few: an accountant's login reaches dozens.
  private static func list(_ names: [String]) -> String {
    let (shown, count) = (names.prefix(5), names.count)
    return shown.joined(separator: ", ")
      + (count > shown.count ? " and \(count - shown.count) more" : "")
  }
}

extension SyncError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .unreadable(_, let reason, _):
      "What was read before is stored. Try again; if it happens again, "
        + (reason == Self.webPage
          ? "sign in to the network, or check for a proxy that changes responses."
          : "the provider has changed its API, or its description is wrong.")
    case .credentialsRejected: "Sign in again."
    case .unknownAddress(_, let key, _):
      "Correct \(key) in the configuration. Some providers answer so while an organisation has no "
        + "such records."
    case .accessDenied: "Sign in again and grant access to the organisation."
    case .serverFailed(let status, _) where Self.isRejection(status):
      "The provider has changed its API, or its description is wrong. Look for a newer version."
    case .serverFailed: "What was read before is stored. Try again later."
    case .rateLimited, .serverBusy: "What was read is stored. Try again later."
    case .organisationUnclear(let available):
      available.isEmpty
        ? "Sign in again and grant access to an organisation."
        : "Choose one of the organisations."
    case .organisationMissing: "Name the organisation in the configuration."
    case .organisationUnproven:
      "Confirm that it is the same organisation, or use another account name."
    case .signInChanged: "What was read before is stored. Sync again."
    case .massDeletion:
      "If the records were deleted at the provider, sync everything and allow the deletions."
    case .alreadyRunning: "Wait for the other sync to end."
    case .contradictoryOptions: nil
    }
  }
}
