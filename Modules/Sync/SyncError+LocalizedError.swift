public import Foundation

extension SyncError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .unreadable(_, let reason):
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
