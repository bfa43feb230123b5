import Foundation
import HTTPTypes

/// Sends again what is safe to send again.
///
/// A connection that never stood is safe for every method. Everything else is repeated only for
/// requests that do the same when they are received twice.
struct RetryLink: Link {
  let policy: SessionConfiguration.RetryPolicy
  let clock: any Clock<Duration>
  let counters: SessionCounters
  /// A number from 0 to 1.
  let random: @Sendable () -> Double
  let now: @Sendable () -> Date
  let next: any Link

  func send(_ request: Request) async throws -> Response {
    var attempt = 1
    var waited = Duration.zero
    while true {
      let wait: Duration
      do {
        var response = try await next.send(request)
        guard attempt < policy.attempts, request.isSafeToRetry, isWorthRepeating(response.head),
          let pause = pause(after: response.head, attempt: attempt)
        else {
          response.attempts = attempt
          response.waited = waited
          return response
        }
        wait = pause
      } catch let error as SessionError {
        guard attempt < policy.attempts, isWorthRepeating(error, request) else { throw error }
        wait = backoff(attempt)
      }
      try await clock.sleep(for: wait)
      waited += wait
      attempt += 1
      let waitedNow = wait
      counters.update {
        $0.retries += 1
        $0.waited += waitedNow
      }
    }
  }

  private func isWorthRepeating(_ head: HTTPResponse) -> Bool {
    [408, 429, 500, 502, 503, 504].contains(head.status.code)
  }

  private func isWorthRepeating(_ error: SessionError, _ request: Request) -> Bool {
    switch error {
    case .connectionFailed, .timedOut(.connect, _): true
    case .connectionLost, .timedOut(.idle, _), .timedOut(.request, _): request.isSafeToRetry
    default: false
    }
  }

  /// What the server asks for, else the backoff; `nil` where that is longer than is waited here.
  private func pause(after head: HTTPResponse, attempt: Int) -> Duration? {
    guard let asked = RetryAfter.seconds(in: head, now: now()).map({ Duration.seconds($0) }) else {
      return backoff(attempt)
    }
    return asked <= policy.maxWait ? asked : nil
  }

  /// Full jitter: anything from nothing to a bound that doubles, so that clients do not return
  /// together.
  private func backoff(_ attempt: Int) -> Duration {
    min(policy.baseDelay * (1 << min(attempt - 1, 16)), policy.maxWait) * random()
  }
}
