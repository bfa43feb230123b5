import Models
import Synchronization
import SystemSupport

/// How much a run may still do.
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

  /// How long was waited because the server asked for it.
  var waited: Duration { waits.withLock { $0 } }

  var now: Timestamp { clock.now }

  /// How long there is left; `nil` where there is no bound.
  var remaining: Duration? { options.maximumDuration.map { max(.zero, $0 - elapsed) } }

  /// Why no further page is read.
  func ending(after records: Int) -> SyncReport.Ending? {
    if let limit = options.limit, records >= limit { return .limit }
    if let remaining, remaining <= .zero { return .duration }
    return nil
  }

  /// Waits until the server is ready; `false` where that is longer than may be waited.
  func wait(until instant: Timestamp) async throws -> Bool {
    // At least a little: a server that asks to come back at once, for ever, would be asked for ever.
    let wait = max(
      Duration.seconds(1),
      Duration.microseconds(instant.microsecondsSinceEpoch - clock.now.microsecondsSinceEpoch))
    guard wait <= options.maximumWait, remaining.map({ wait < $0 }) ?? true else { return false }
    try await clock.sleep(wait)
    waits.withLock { $0 += wait }
    return true
  }
}
