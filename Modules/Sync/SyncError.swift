public import Models

/// An error that ends a sync, one case for each way to recover.
///
/// Errors of the session, the authenticator and the database pass through as they are.
public enum SyncError: Error, Sendable {
  /// The server's answer differs from its documentation and cannot be read.
  case unreadable(place: String, reason: String)
  /// The server does not accept the credentials, not even fresh ones.
  case credentialsRejected
  /// The sign-in is valid, but may not read this organisation or these rows.
  case accessDenied(status: Int)
  /// The server answered with an error that a retry may avoid.
  case serverFailed(status: Int)
  /// The server, or its published limit, requires a retry later; what was read is stored.
  case rateLimited(retryAt: Timestamp?)
  /// The login reaches several organisations and none was chosen, or it does not reach the chosen
  /// one.
  case organisationUnclear(available: [String])
  /// The organisation has to be named, and the server cannot list the available ones.
  case organisationMissing(whereToFind: String)
  /// The account holds records from before this sign-in, and the server cannot say whether they
  /// belong to the same organisation: the user has to.
  case organisationUnproven(account: String, holding: String)
  /// Another sign-in has replaced the one with which the run began; what was read before is stored.
  case signInChanged(account: String)
  /// The server's list lacks so many of the stored records that an error is likelier than
  /// deletions; nothing was deleted.
  case massDeletion(records: Int, of: Int)
  /// Another process is syncing this account.
  case alreadyRunning(account: String)
}

extension SyncError: CustomStringConvertible {
  /// A sentence for the user; it repeats nothing that the server sent.
  public var description: String {
    switch self {
    case .unreadable(let place, let reason):
      "the server's answer cannot be read at \(place): \(reason)"
    case .credentialsRejected: "the server does not accept the login's credentials"
    case .accessDenied(let status): "the server denies access (status \(status))"
    case .serverFailed(let status): "the server failed (status \(status))"
    case .rateLimited(let retryAt):
      "the server, or the limit it publishes, asks to come back later"
        + (retryAt.map { ", at \($0)" } ?? "")
    case .organisationUnclear(let available):
      available.isEmpty
        ? "the login reaches no organisation"
        : "the organisation has to be chosen from: " + available.joined(separator: ", ")
    case .organisationMissing(let place): "the organisation has to be named: \(place)"
    case .organisationUnproven(let account, let holding):
      "the account '\(account)' holds \(holding), and the server does not tell whether its new "
        + "sign-in is of the same organisation"
    case .signInChanged(let account):
      "another sign-in took the place of the one that the sync of '\(account)' began with"
    case .massDeletion(let records, let total):
      "the server does not list \(records) of \(total) records any more; nothing was deleted"
    case .alreadyRunning(let account): "another process is syncing the account '\(account)'"
    }
  }
}
