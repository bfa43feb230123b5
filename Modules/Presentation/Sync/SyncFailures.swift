package import AppCore
import ErrorCodes
import Models
import Storage
package import Sync

extension SyncReport {
  /// Returns the failure that reports why the run is partial; `nil` if it is complete.
  ///
  /// - Parameter configuration: decides whether the hint names the account.
  package func failure(in configuration: CoreConfiguration?) -> Failure? {
    var failure: Failure
    if let excess = excessDeletions {
      failure = Failure(
        SyncError.massDeletion(records: excess.deleted, of: excess.of), in: configuration,
        account: account)
    } else if let ending {
      failure = Failure(ending.code, Sentence(message(ending)), Hint(hint(ending)))
      if ending == .rateLimit, let retryAt,
        let day = configuration?.dailyLimitHint(account: account, until: retryAt)
      {
        failure.advice = failure.advice?.then(Hint(day))
      }
      if ending == .unreadable { failure.records = failures }
    } else {
      return nil
    }
    failure.resource = resource.rawValue
    return failure
  }

  private func message(_ ending: Ending) -> String {
    switch ending {
    case .unreadable:
      "\(newFailureCount) of the \(resource) cannot be read"
        + (failureCount > newFailureCount ? ", \(failureCount) with those reported before" : "")
    case .rateLimit: "rate limit reached"
    case .serverBusy: "the provider's server is busy (status 503)"
    case .duration: "stopped after the time that was allowed"
    case .limit: "stopped after the number of records that was allowed"
    case .continued: "the list was read to its end, but by several runs"
    }
  }

  private func hint(_ ending: Ending) -> Sentence {
    switch ending {
    case .unreadable where isDryRun: return kept
    case .unreadable:
      return """
        The others are stored. The next run tries these again; later runs do if one changes, and \
        once a day.
        """
    case .rateLimit, .serverBusy:
      let time: Sentence = retryAt.map { "at \($0)" } ?? "later"
      return "\(kept) Run it again \(time), or allow a longer --max-wait."
    case .duration, .limit:
      return isDryRun
        ? "A dry run keeps nothing." : "\(kept) The next sync continues from here."
    case .continued: return "\(kept) The next run reads all of it again to be sure."
    }
  }

  private var kept: Sentence {
    isDryRun ? "A dry run stores nothing." : "What was read is stored."
  }

  private var isDryRun: Bool { result == .dryRun }
}

extension AccountSyncResult {
  /// Returns the failures of the syncs, also those of partial runs, but none of a cancellation.
  package func failures(in configuration: CoreConfiguration?) -> [Failure] {
    // A login that may read nothing is no login that lacks a permission.
    let readsAny = outcomes.contains { (try? $0.result.get()) != nil }
    return outcomes.compactMap { outcome in
      switch outcome.result {
      case .success(let report): return report.failure(in: configuration)
      case .failure(is CancellationError): return nil
      case .failure(let error):
        var failure = Failure(
          error, in: configuration, account: account, of: outcome.resource)
        failure.resource = outcome.resource?.rawValue
        failure.isRepeated = outcome.isRepeated && readsAny
        return failure
      }
    }
  }
}

extension Sequence<ResourceOutcome<SyncReport>> {
  /// Returns the failures of the syncs of one account, also those of partial runs and of a
  /// cancellation.
  package func failures(in configuration: CoreConfiguration?, account: String) -> [Failure] {
    compactMap { outcome in
      switch outcome.result {
      case .success(let report): return report.failure(in: configuration)
      case .failure(let error):
        var failure = Failures(
          error, in: configuration, account: account, of: outcome.resource
        ).first
        if outcome.isInterrupted, failure.status != .interrupted {
          failure = Failure(CancellationError())
        }
        failure.resource = outcome.resource.rawValue
        return failure
      }
    }
  }
}
