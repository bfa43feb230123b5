/// Counts requests together with those of other processes, for limits whose intervals outlast one.
///
/// If another process holds the count, it waits: an uncounted request would exceed the limit.
package protocol RequestCounts: Sendable {
  /// Counts a request that is about to be sent, if every limit allows it.
  ///
  /// - Parameter patience: the longest wait for another process that counts.
  /// - Returns: the time until there is room, if a limit does not allow the request; it is then not
  ///   counted.
  /// - Throws: ``RequestCountsHeld`` after that wait; `CancellationError`.
  func add(within limits: [RateLimit], waitingAtMost patience: Duration) async throws -> Duration?

  /// Counts a request that is sent regardless of the limits.
  ///
  /// - Parameter patience: the longest wait for another process that counts.
  /// - Throws: ``RequestCountsHeld`` after that wait; `CancellationError`.
  func add(waitingAtMost patience: Duration) async throws
}

/// An error for a count of requests that another process has held longer than a request may wait.
package struct RequestCountsHeld: Error {
  package init() {}
}

extension RateLimit {
  /// True if processes that start and end within the interval share the limit.
  package var outlastsProcesses: Bool { interval >= .seconds(3_600) }
}
