package import AppCore
import Models
import Storage
import Sync

// The failure of a run that is not complete.
extension SyncReportDocument {
  /// Returns the failure that reports why the run is partial; `nil` if it is complete.
  ///
  /// - Parameter configuration: decides whether the hint names the account.
  package func failure(in configuration: CoreConfiguration?) -> Failure? {
    if let excess {
      var failure = Failure(
        SyncError.massDeletion(records: excess.deleted, of: excess.of), in: configuration,
        account: account)
      failure.resource = resource
      return failure
    }
    guard let ending = ending.value else { return nil }
    var failure = failure(ending)
    failure.resource = resource
    if ending == .unreadable { failure.records = failures }
    return failure
  }

  private func failure(_ ending: SyncReport.Ending) -> Failure {
    switch ending {
    case .unreadable:
      Failure(
        .unreadableData, "unreadable-data",
        "\(newlyUnreadable) of the \(resource) cannot be read"
          + (unreadable > newlyUnreadable ? ", \(unreadable) with those reported before" : ""),
        isDryRun
          ? kept
          : "The others are stored. The next run tries these again; later runs do if one changes, "
            + "and once a day.")
    case .rateLimit, .serverBusy:
      Failure(
        .tryAgainLater, ending == .rateLimit ? "rate-limited" : "server-busy",
        ending == .rateLimit
          ? "rate limit reached" : "the provider's server is busy (status 503)",
        kept + (retryAt.value.map { " Run it again at \($0)" } ?? " Run it again later")
          + ", or allow a longer --max-wait.")
    case .duration, .limit:
      Failure(
        .tryAgainLater, "budget-spent",
        "stopped after the " + (ending == .limit ? "number of records" : "time")
          + " that was allowed",
        isDryRun ? continuation : kept + " " + continuation)
    case .continued:
      Failure(
        .tryAgainLater, "budget-spent", "the list was read to its end, but by several runs",
        kept + " The next run reads all of it again to be sure.")
    }
  }

  package var isDryRun: Bool { changes != nil }

  /// The sentence about the next run.
  private var continuation: String {
    isDryRun ? "A dry run keeps nothing." : "The next sync continues from here."
  }
  private var kept: String {
    isDryRun ? "A dry run stores nothing." : "What was read is stored."
  }
}
