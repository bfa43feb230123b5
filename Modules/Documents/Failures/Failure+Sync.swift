import Models
import Storage
import Sync

extension Failure {
  init(_ error: SyncError, _ account: HintAccount) {
    let message = error.description
    switch error {
    case .unreadable(_, let reason):
      self.init(
        .unreadableData, "unreadable-data", message,
        "What was read before is stored. Try again; if it persists, "
          + (reason == SyncError.webPage
            ? "sign in to the network, or check for a proxy that changes responses."
            : account.unreadableAdvice))
    case .credentialsRejected:
      self.init(.signInRequired, "credentials-rejected", message, account.newCredentials)
    case .unknownAddress(_, let key, _):
      self.init(
        .configuration, "unknown-address", message,
        "Correct \(key) in the configuration. If both are right, check \(account.tenantKey) and "
          + "that the \(account.credential) may read the list; some providers also answer so while "
          + "an organisation has no such records, and it ends with the first one.")
    case .accessDenied(status: 404, _):
      self.init(
        .signInRequired, "access-denied", message,
        "Check the provider's addresses and \(account.tenantKey) in the configuration. "
          + "If they are correct: " + account.moreAccess)
    case .accessDenied:
      self.init(.signInRequired, "access-denied", message, account.moreAccess)
    case .serverFailed(let status, _) where SyncError.isRejection(status):
      self.init(
        .unreadableData, "request-rejected", message,
        "The provider has changed its API, or its description is wrong. To see the provider's "
          + "message and what was sent: appcore sync all -v --trace-http\(account.option)")
    case .serverFailed:
      self.init(
        .unavailable, "server-failed", message, "What was read before is stored. Try again later.")
    case .rateLimited:
      self.init(.tryAgainLater, "rate-limited", message, "Run it again after that time.")
    case .serverBusy:
      self.init(.tryAgainLater, "server-busy", message, "Run it again after that time.")
    case .organisationUnclear(let available):
      self.init(
        .configuration, "organisation-unclear", message,
        available.isEmpty ? account.moreAccess : account.organisationChoice)
    case .organisationMissing:
      self.init(
        .configuration, "organisation-unclear", message,
        "Set \(account.tenantKey) in the configuration file.")
    case .organisationUnproven(let name, _):
      self.init(
        .configuration, "organisation-unproven", message,
        "If it does: appcore sync all --account \(name.shellWord) --same-organisation. "
          + "If not, " + Self.otherAccount(name))
    case .signInChanged:
      self.init(
        .tryAgainLater, "sign-in-changed", message, "What was read before is stored. Run it again.")
    case .massDeletion:
      self.init(
        .unreadableData, "mass-deletion", message,
        "If they were deleted there: appcore sync all --full --allow-mass-deletion\(account.option)"
      )
    case .alreadyRunning:
      self.init(.tryAgainLater, "already-running", message, "Wait for it, or run it again later.")
    case .contradictoryOptions:
      self.init(.usage, "contradictory-options", message, "Name one of the options.")
    }
  }

  init(_ error: StorageError) {
    let message = error.description
    switch error {
    case .busy:
      self.init(
        .tryAgainLater, "database-busy", message, "Try again when the other program has finished.")
    case .full:
      self.init(
        .inputOutput, "disk-full", message,
        "Free some disk space and run it again. What was stored is kept.")
    case .newerSchema:
      self.init(
        .inputOutput, "newer-database", message, "Use the newer appcore that created the file.")
    case .corrupt:
      self.init(
        .inputOutput, "corrupt-database", message,
        "Run it again: appcore then renames the file and fetches everything from the provider.")
    case .replaced:
      self.init(
        .tryAgainLater, "database-replaced", message,
        "Run it again: appcore then uses the file that is there now, or creates one.")
    case .foreign:
      self.init(
        .configuration, "foreign-database", message,
        "Name another file: set database in the configuration, or APPCORE_DATABASE.")
    case .sourceMismatch(let account, _, _, _):
      self.init(
        .configuration, "other-organisation", message,
        "For another organisation, " + Self.otherAccount(account))
    case .inaccessible, .failed:
      self.init(
        .inputOutput, "database", message, "Check the folder, its permissions and the disk.")
    }
  }

  /// Returns the hint for syncing another organisation.
  private static func otherAccount(_ account: String) -> String {
    "use another account name; or delete the records of this one: "
      + "appcore logout --account \(account.shellWord) --forget-invoices"
  }
}
