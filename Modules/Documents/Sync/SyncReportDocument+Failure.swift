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
    let message =
      switch ending {
      case .unreadable:
        "\(newlyUnreadable) of the \(resource) cannot be read"
          + (unreadable > newlyUnreadable ? ", \(unreadable) with those reported before" : "")
      case .rateLimit: "rate limit reached"
      case .serverBusy: "the provider's server is busy (status 503)"
      case .duration: "stopped after the time that was allowed"
      case .limit: "stopped after the number of records that was allowed"
      case .continued: "the list was read to its end, but by several runs"
      }
    return Failure(ending.code, message, Hint(hint(ending)))
  }

  private func hint(_ ending: SyncReport.Ending) -> String {
    switch ending {
    case .unreadable where isDryRun: kept
    case .unreadable:
      "The others are stored. The next run tries these again; later runs do if one changes, "
        + "and once a day."
    case .rateLimit, .serverBusy:
      kept + (retryAt.value.map { " Run it again at \($0)" } ?? " Run it again later")
        + ", or allow a longer --max-wait."
    case .duration, .limit: isDryRun ? continuation : kept + " " + continuation
    case .continued: kept + " The next run reads all of it again to be sure."
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
