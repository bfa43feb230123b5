import Foundation
import SystemSupport

/// A renewal that failed, kept so that those who come after it do not storm the server.
///
/// The first failure may be followed by one more attempt at once; from then on the pauses double,
/// with jitter, up to a minute. A server that says when to come back is believed.
struct RenewalFailure {
  let error: any Error
  /// How many failed in a row.
  let count: Int
  /// Uptime before which the same error is given without asking again.
  let retryAt: Duration

  init(_ error: any Error, after previous: RenewalFailure?, time: TimeSource) {
    self.error = error
    count = (previous?.count ?? 0) + 1
    retryAt = time.uptime() + Self.pause(error, count: count, time: time)
  }

  private static func pause(_ error: any Error, count: Int, time: TimeSource) -> Duration {
    switch error {
    case AuthenticationError.signInRequired:
      // Nothing but a new login helps, and of that a notice comes at once.
      return .seconds(5)
    case AuthenticationError.temporarilyUnavailable(_, let retryAt?, _):
      return max(.zero, .seconds(retryAt.timeIntervalSince(time.wall())))
    default:
      guard count > 1 else { return .zero }
      return .seconds(min(60, 1 << min(count - 2, 6))) * Double.random(in: 0.5...1)
    }
  }
}
