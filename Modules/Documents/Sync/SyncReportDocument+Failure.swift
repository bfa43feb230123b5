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
        .unreadableData, "unreadable-data", "\(unreadable) of the \(resource) cannot be read",
        "The others are stored; the next run tries these again.")
    case .rateLimit:
      Failure(
        .tryAgainLater, "rate-limited",
        "the server, or the limit it publishes, asks to come back later",
        kept + (retryAt.value.map { " Run it again at \($0)" } ?? " Run it again")
          + ", or allow a longer --max-wait.")
    case .duration, .limit:
      Failure(
        .tryAgainLater, "budget-spent", "the run has read as much as it was allowed to",
        isDryRun ? continuation : kept + " " + continuation)
    case .continued:
      Failure(
        .tryAgainLater, "budget-spent", "the list was read to its end, but not by one run",
        kept + " A run that may read the whole list is complete.")
    }
  }

  package var isDryRun: Bool { changes != nil }

  /// The sentence about the next run.
  package var continuation: String {
    isDryRun ? "A dry run keeps nothing." : "The next sync continues from here."
  }
  private var kept: String {
    isDryRun ? "A dry run stores nothing." : "What was read is stored."
  }
}
