import Models
import Synchronization
import SystemSupport

/// The limits of a run, and the part of each that is left.
final class RunBudget: Sendable {
  private let options: SyncOptions
  private let clock: TimeSource
  private let start: Duration
  private let waits = Mutex(Duration.zero)

  init(_ options: SyncOptions, _ clock: TimeSource) {
    self.options = options
    self.clock = clock
    start = clock.uptime()
  }

  var elapsed: Duration { clock.uptime() - start }

  /// The time waited because the server asked for it.
  var waited: Duration { waits.withLock { $0 } }

  var now: Timestamp { clock.now }

  /// The time that is left; `nil` if there is no limit.
  var remaining: Duration? { options.maximumDuration.map { max(.zero, $0 - elapsed) } }

  /// Returns the reason to read no further page after a number of records; `nil` if there is none.
  func ending(after records: Int) -> SyncReport.Ending? {
    if let limit = options.limit, records >= limit { return .limit }
    if let remaining, remaining <= .zero { return .duration }
    return nil
  }

  /// Asks the server, and asks again after each wait that it demands and the run allows.
  ///
  /// - Throws: ``SyncError/rateLimited(retryAt:)`` for a longer wait, and the errors of `ask`.
  func obeying<Value>(
    onWait: (Duration) -> Void, _ ask: () async throws -> Value
  ) async throws -> Value {
    while true {
      do {
        return try await ask()
      } catch SyncError.rateLimited(let stated) {
        // The response may name no time: most limits are counted by the minute.
        let retryAt = stated ?? now.adding(seconds: 60)
        guard try await wait(until: retryAt, onWait: onWait) else {
          throw SyncError.rateLimited(retryAt: retryAt)
        }
      }
    }
  }

  /// Waits until the server is ready; returns `false` if the wait is longer than the run allows.
  ///
  /// - Parameter onWait: called with the length of the wait before it begins.
  func wait(until instant: Timestamp, onWait: (Duration) -> Void) async throws -> Bool {
    // At least a second: otherwise a server that always asks to retry immediately would be asked
    // forever.
    let wait = max(
      Duration.seconds(1),
      Duration.microseconds(instant.microsecondsSinceEpoch - clock.now.microsecondsSinceEpoch))
    guard wait <= options.maximumWait, remaining.map({ wait < $0 }) ?? true else { return false }
    onWait(wait)
    try await clock.sleep(wait)
    waits.withLock { $0 += wait }
    return true
  }
}
