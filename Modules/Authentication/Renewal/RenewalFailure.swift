import Foundation
import SystemSupport

/// A failed renewal, kept so that later callers do not overload the server.
///
/// The first failure allows one immediate retry; after that, the pauses double, with jitter, up to
/// a minute. A time that the server names takes precedence, up to an hour: a long-lived program
/// must not trust one answer for days.
struct RenewalFailure {
  let error: any Error
  /// The number of failures in a row.
  let count: Int
  /// The uptime before which callers receive the same error without a new attempt.
  let retryAt: Duration

  init(_ error: any Error, after previous: RenewalFailure?, time: TimeSource) {
    self.error = error
    count = (previous?.count ?? 0) + 1
    retryAt = time.uptime() + Self.pause(error, count: count, time: time)
  }

  private static func pause(_ error: any Error, count: Int, time: TimeSource) -> Duration {
    switch error {
    case AuthenticationError.signInRequired:
      // Only a new login helps, and its notice clears the failure.
      return .seconds(5)
    case AuthenticationError.temporarilyUnavailable(_, let retryAt?, _):
      return max(.zero, .seconds(min(3_600, retryAt.timeIntervalSince(time.wall()))))
    default:
      guard count > 1 else { return .zero }
      return .seconds(min(60, 1 << min(count - 2, 6))) * Double.random(in: 0.5...1)
    }
  }
}
