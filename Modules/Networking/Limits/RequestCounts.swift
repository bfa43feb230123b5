/// Counts requests together with those of other processes, for limits whose intervals outlast one.
///
/// A count that others hold is waited for: a request that nobody counted would be one too many.
package protocol RequestCounts: Sendable {
  /// Counts a request that is about to be sent, where that keeps every limit; else it counts
  /// nothing, and answers how long it is until there is room.
  ///
  /// - Parameter patience: the longest wait for another process that counts.
  /// - Throws: ``RequestCountsHeld`` when that is over; `CancellationError`.
  func add(within limits: [RateLimit], waitingAtMost patience: Duration) async throws -> Duration?

  /// Counts a request that is sent whatever the limits say.
  ///
  /// - Parameter patience: the longest wait for another process that counts.
  /// - Throws: ``RequestCountsHeld`` when that is over; `CancellationError`.
  func add(waitingAtMost patience: Duration) async throws
}

/// Another process has held the count of requests for longer than a request may wait.
package struct RequestCountsHeld: Error {
  package init() {}
}

extension RateLimit {
  /// True if processes that end and begin within its interval spend it together.
  package var outlastsProcesses: Bool { interval >= .seconds(3_600) }
}
