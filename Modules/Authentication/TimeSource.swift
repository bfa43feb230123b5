package import Foundation
import Glibc

/// Where this module reads the time and how it waits, so that tests can hold both in their hands.
package struct TimeSource: Sendable {
  /// Time that only moves forward and goes on during suspend; deadlines inside a process use it.
  package var uptime: @Sendable () -> Duration
  /// Time of day; what is stored uses it, since it outlives the process.
  package var wall: @Sendable () -> Date
  /// Waits, or throws `CancellationError`.
  package var sleep: @Sendable (Duration) async throws -> Void

  /// Uptime in nanoseconds, for what is asked at every request.
  var uptimeNanoseconds: @Sendable () -> Int64

  package init(
    uptime: @escaping @Sendable () -> Duration,
    wall: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.uptime = uptime
    uptimeNanoseconds = { uptime().nanoseconds }
    self.wall = wall
    self.sleep = sleep
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
  /// Gives work a time limit: `nil`, and the work is cancelled, where it takes longer.
  func bounded<Value: Sendable>(
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

/// The system's clock that nobody sets, and that goes on while the machine sleeps.
private enum SystemUptime {
  static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The whole as nanoseconds; some 290 years at the most.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1 << 33 else { return seconds < 0 ? .min / 2 : .max / 2 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
