/// Counts requests together with those of other processes, for limits whose intervals outlast one.
package protocol RequestCounts: Sendable {
  /// Counts a request that is about to be sent, where that keeps every limit; else it counts nothing, and
  /// answers how long it is until there is room.
  func add(within limits: [RateLimit]) async -> Duration?

  /// Counts a request that is sent whatever the limits say.
  func add() async
}

extension RateLimit {
  /// Whether processes that end and begin within its interval spend it together.
  package var outlastsProcesses: Bool { interval >= .seconds(3_600) }
}
