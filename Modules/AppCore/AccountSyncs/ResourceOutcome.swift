public import Models

/// The outcome of one resource in a sequence of syncs.
public struct ResourceOutcome<Report> {
  /// The resource.
  public let resource: Resource
  /// The report, or the error that ended the sync.
  public let result: Result<Report, any Error>
  /// True if a cancellation ended the sync, or kept it from beginning.
  public let isInterrupted: Bool

  /// Creates the outcome of a sync that has ended in the calling task.
  init(_ resource: Resource, _ result: Result<Report, any Error>) {
    self.resource = resource
    self.result = result
    isInterrupted =
      if case .failure(let error) = result {
        // A sync that is cancelled may report the request or the query that failed because of it.
        Task.isCancelled || error is CancellationError
      } else {
        false
      }
  }
}

extension ResourceOutcome: Sendable where Report: Sendable {}

extension ApplicationCore {
  /// Syncs resources of an account one after the other; one that fails stops no other.
  ///
  /// A cancellation ends the sequence: the last outcome is then interrupted, and those before it
  /// stay.
  ///
  /// - Parameters:
  ///   - wanted: the resources; `nil` takes all that the account's provider lists. One that it does
  ///     not list is left out.
  ///   - name: the account.
  ///   - sync: syncs one resource, such as with ``sync(_:account:)``, and returns its report.
  /// - Returns: the outcomes in the order of the syncs, invoices first.
  /// - Throws: as ``resources(account:)``.
  public func syncResources<Report>(
    _ wanted: [Resource]? = nil, account name: String,
    with sync: (_ resource: Resource) async throws -> Report
  ) async throws -> [ResourceOutcome<Report>] {
    var outcomes: [ResourceOutcome<Report>] = []
    for resource in try resources(account: name) where wanted?.contains(resource) ?? true {
      let result: Result<Report, any Error>
      do {
        try Task.checkCancellation()
        result = .success(try await sync(resource))
      } catch {
        result = .failure(error)
      }
      let outcome = ResourceOutcome(resource, result)
      outcomes.append(outcome)
      if outcome.isInterrupted { break }
    }
    return outcomes
  }
}
