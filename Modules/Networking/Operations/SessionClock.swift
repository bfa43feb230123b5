import Foundation

/// Time and chance as a session sees them, so that tests can hold both in their hands.
struct SessionClock: Sendable {
  /// Time since some moment; it only moves forward.
  let now: @Sendable () -> Duration
  /// Waits, or throws `CancellationError`.
  let sleep: @Sendable (Duration) async throws -> Void
  /// The time of day, for what servers name by date.
  let wall: @Sendable () -> Date
  /// A number from 0 to 1.
  let random: @Sendable () -> Double

  init(
    _ clock: some Clock<Duration>, wall: @escaping @Sendable () -> Date,
    random: @escaping @Sendable () -> Double
  ) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.wall = wall
    self.random = random
  }
}
