package import Foundation
import Glibc

/// The time, the waits and the chance of a component, so that tests control all three.
package struct TimeSource: Sendable {
  /// Time that only moves forward and goes on during suspend; deadlines inside a process use it.
  package var uptime: @Sendable () -> Duration
  /// Uptime in nanoseconds, for what is read at every request.
  package var uptimeNanoseconds: @Sendable () -> Int64
  /// Time of day; what is stored uses it, since it outlives the process.
  package var wall: @Sendable () -> Date
  /// Waits, or throws `CancellationError`.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// A number from 0 to 1, which keeps clients from returning together.
  package var random: @Sendable () -> Double

  /// Creates a source of its parts.
  package init(
    uptime: @escaping @Sendable () -> Duration,
    wall: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.uptime = uptime
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

/// The system's clock that nobody sets and that goes on while the machine sleeps.
private enum SystemUptime {
  static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The whole in nanoseconds, cut to some 290 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1 << 33 else { return seconds < 0 ? .min / 2 : .max / 2 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
