import Models
import Synchronization
import SystemSupport

/// The limits of a run, and the part of each that is left.
final class RunBudget: Sendable {
  private let options: SyncOptions
  private let clock: TimeSource
  private let start: Duration
  private let waits = Mutex(Waits())

  /// The waits that the server has asked for.
  ///
  /// Concurrent requests wait together, so each moment counts once.
  private struct Waits {
    var total = Duration.zero
    /// The waits since the last response that was no request to wait.
    var inRow = Duration.zero
    /// The uptime until which waits are counted.
    var end = Duration.zero
    /// The waits of the run itself, without those of the session's requests.
    var own = Duration.zero
  }

  init(_ options: SyncOptions, _ clock: TimeSource) {
    self.options = options
    self.clock = clock
    start = clock.uptime()
  }

  var elapsed: Duration { clock.uptime() - start }

  /// The time that the run itself waited because the server asked for it.
  var waited: Duration { waits.withLock { $0.own } }

  var now: Timestamp { clock.now }

  var remaining: Duration? { options.maximumDuration.map { max(.zero, $0 - elapsed) } }

  /// Returns the reason to read no further page after a number of records; `nil` if there is none.
  func ending(after records: Int) -> SyncReport.Ending? {
    if let limit = options.limit, records >= limit { return .limit }
    if let remaining, remaining <= .zero { return .duration }
    return nil
  }

  /// Asks the server, and asks again after each wait that it demands and the run allows.
  ///
  /// - Throws: the errors of `ask`; for a longer wait, with the time at which to retry.
  func obeying<Value>(
    onWait: (Duration) -> Void, _ ask: () async throws -> Value
  ) async throws -> Value {
    var waits = 0
    while true {
      do {
        return try await ask()
      } catch let error as SyncError {
        try await wait(after: error, &waits, onWait: onWait)
      }
    }
  }

  /// Waits as the server asks before the same question is repeated.
  ///
  /// - Parameters:
  ///   - waits: the number of waits for this question so far.
  ///   - onWait: called with the length of the wait before it begins.
  /// - Throws: the error itself if it asks for no wait, or for a longer one than the run allows,
  ///   with the time at which to retry.
  func wait(
    after error: SyncError, _ waits: inout Int, onWait: (Duration) -> Void
  ) async throws {
    guard let asked = error.postponement else { throw error }
    // A server that always asks to retry in a moment is asked less and less often.
    let least = min(.seconds(1 << min(waits, 16)), max(.seconds(1), options.maximumWait))
    let begin = now
    // The response may name no time: most limits are counted by the minute.
    let stated = asked.retryAt ?? begin.adding(seconds: 60)
    let left = Duration.microseconds(stated.microsecondsSinceEpoch - begin.microsecondsSinceEpoch)
    let wait = max(least, left)
    guard wait <= options.maximumWait, remaining.map({ wait < $0 }) ?? true,
      waits < Self.waitsPerQuestion, admits(wait)
    else {
      // Exactly the time that the server names, however long reading it took.
      let earliest = Timestamp(
        microsecondsSinceEpoch: begin.microsecondsSinceEpoch + least.nanoseconds / 1_000)
      throw error.postponed(until: max(stated, earliest))
    }
    waits += 1
    onWait(wait)
    try await clock.sleep(wait)
    self.waits.withLock { $0.own += wait }
  }

  private static let waitsPerQuestion = 10

  /// Counts a wait that the server asks for, of a request or of the run itself.
  ///
  /// A server can ask for short waits without end, so their sum is bounded too: three of the
  /// longest waits in a row without a response, sixty in the whole run.
  ///
  /// - Returns: `false` if the run does not allow the wait, which then is not counted.
  func admits(_ wait: Duration) -> Bool {
    let begin = clock.uptime()
    return waits.withLock { waits in
      let added = max(.zero, begin + wait - max(begin, waits.end))
      guard waits.inRow + added <= options.maximumWait * 3,
        waits.total + added <= options.maximumWait * 60
      else { return false }
      waits.inRow += added
      waits.total += added
      waits.end = max(waits.end, begin + wait)
      return true
    }
  }

  func noteAnswer() { waits.withLock { $0.inRow = .zero } }
}
