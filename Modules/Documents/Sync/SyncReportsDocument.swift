package import AppCore
import ErrorCodes
import Models

/// The document that `appcore sync all` prints.
package struct SyncReportsDocument: Encodable {
  let schemaVersion = 1
  package let reports: [SyncReportDocument]

  /// Creates the document of a sequence of syncs; `nil` if a cancellation ended it before any of
  /// them.
  package init?(_ outcomes: [ResourceOutcome<SyncReportDocument>]) {
    reports = outcomes.compactMap { try? $0.result.get() }
    if reports.isEmpty, outcomes.last?.isInterrupted == true { return nil }
  }
}

extension Sequence<ResourceOutcome<SyncReportDocument>> {
  /// Returns the failures of the syncs, also those of partial runs and of a cancellation.
  ///
  /// - Parameters:
  ///   - configuration: as for a ``Failure``.
  ///   - account: the account that was synced.
  package func failures(in configuration: CoreConfiguration?, account: String) -> [Failure] {
    compactMap { outcome in
      switch outcome.result {
      case .success(let document): return document.failure(in: configuration)
      case .failure(let error):
        var failure = Failures(error, in: configuration, account: account).first
        if outcome.isInterrupted, failure.status != .interrupted {
          failure = Failure(CancellationError())
        }
        failure.resource = outcome.resource.rawValue
        return failure
      }
    }
  }
}
