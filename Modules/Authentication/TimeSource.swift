package import Foundation

/// Where this module reads the time and how it waits, so that tests can hold both in their hands.
package struct TimeSource: Sendable {
  /// Time that only moves forward and goes on during suspend; deadlines inside a process use it.
  package var uptime: @Sendable () -> Duration
  /// Time of day; what is stored uses it, since it outlives the process.
  package var wall: @Sendable () -> Date
  /// Waits, or throws `CancellationError`.
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    uptime: @escaping @Sendable () -> Duration,
    wall: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.uptime = uptime
    self.wall = wall
    self.sleep = sleep
  }

  /// The system's clocks.
  package static let system: TimeSource = {
    let start = ContinuousClock.now
    return TimeSource(
      uptime: { start.duration(to: .now) },
      wall: { Date() },
      sleep: { try await Task.sleep(for: $0, clock: .continuous) })
  }()
}
