import Foundation
package import Models

/// Time as a run sees it, so that tests can hold it in their hands.
package struct SyncClock: Sendable {
  /// Time since some moment; it only moves forward.
  let elapsed: @Sendable () -> Duration
  /// Waits, or throws `CancellationError`.
  let sleep: @Sendable (Duration) async throws -> Void
  /// The time of day.
  let now: @Sendable () -> Timestamp

  package init(
    _ clock: some Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) }
  ) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.now = now
  }
}
