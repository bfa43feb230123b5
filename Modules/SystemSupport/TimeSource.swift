package import Foundation
import Glibc

/// A component's source of time, waits and random numbers, so that tests control all three.
package struct TimeSource: Sendable {
  /// Returns the time since a fixed point, which never goes back and continues during suspend.
  ///
  /// Deadlines inside a process use it.
  package var uptime: @Sendable () -> Duration
  /// Returns the uptime in nanoseconds, for values read at every request.
  package var uptimeNanoseconds: @Sendable () -> Int64
  /// Returns the time of day; stored values use it, since they outlive the process.
  package var wall: @Sendable () -> Date
  /// Waits, or throws `CancellationError`.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// Waits until the uptime is so long, or throws `CancellationError`.
  ///
  /// A clock that a test moves between the reading of the uptime and a relative wait would make
  /// that wait end too late.
  package var sleepUntil: @Sendable (_ uptime: Duration) async throws -> Void
  /// Returns a random number from 0 to 1, which keeps clients from retrying at the same time.
  package var random: @Sendable () -> Double

  /// Creates a source from its parts.
  package init(
    uptime: @escaping @Sendable () -> Duration,
    wall: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    sleepUntil: (@Sendable (_ uptime: Duration) async throws -> Void)? = nil,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.uptime = uptime
    self.sleepUntil = sleepUntil ?? { try await sleep($0 - uptime()) }
    uptimeNanoseconds = { uptime().nanoseconds }
    self.wall = wall
    self.sleep = sleep
    self.random = random
  }

  /// Creates a source whose uptime and waits are those of a clock.
  package init(
    _ clock: some Clock<Duration>,
    wall: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    let start = clock.now
    self.init(
      uptime: { start.duration(to: clock.now) }, wall: wall,
      sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) },
      sleepUntil: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) },
      random: random)
  }

  /// The system's clocks.
  package static let system: TimeSource = {
    var source = TimeSource(
      uptime: { .nanoseconds(SystemUptime.nanoseconds) },
      wall: { Date() },
      sleep: { try await Task.sleep(for: $0, clock: .continuous) })
    source.uptimeNanoseconds = { SystemUptime.nanoseconds }
    return source
  }()
}

extension TimeSource {
  /// Runs work with a time limit.
  ///
  /// - Returns: `nil`, after cancelling the work, if it takes longer.
  package func bounded<Value: Sendable>(
    by limit: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await sleep(limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}

/// The system's clock that cannot be set and continues while the machine sleeps.
private enum SystemUptime {
  static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds, limited to about 290 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1 << 33 else { return seconds < 0 ? .min / 2 : .max / 2 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
