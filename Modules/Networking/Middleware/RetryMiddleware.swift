import Foundation
import HTTPTypes
import Logging
import SystemSupport

/// Retries requests that are safe to retry.
///
/// If no connection was made, every method is safe. In all other cases, a request is retried only
/// if receiving it twice has the same effect and its body is still available.
struct RetryMiddleware: Middleware {
  let policy: SessionConfiguration.RetryPolicy
  let counters: SessionCounters
  let log: Logger

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let clock = next.operation.clock
    var attempt = 1
    var waited = Duration.zero
    while true {
      let wait: Duration
      let reason: String
      do {
        var response = try await next.send(request)
        guard attempt < policy.attempts, request.canBeRepeated, isWorthRepeating(response.head),
          let pause = pause(after: response.head, request, attempt: attempt, waited: waited, clock)
        else {
          response.attempts = attempt
          response.waited = waited
          return response
        }
        (wait, reason) = (pause, "status \(response.head.status.code)")
      } catch let error as SessionError {
        let pause = policy.backoff(after: attempt, clock)
        guard attempt < policy.attempts, isWorthRepeating(error, request, next.operation),
          waited + pause <= policy.totalWait
        else { throw error }
        if pause >= .seconds(1) {
          _ = request.onWait?(RequestWait(reason: .failedAttempt, duration: pause))
        }
        (wait, reason) = (pause, "\(error)")
      }
      log.notice(
        "retrying the request",
        metadata: [
          "reason": "\(reason)", "attempt": "\(attempt + 1)",
          "wait": "\(Int(clamping: wait / .milliseconds(1), rounding: .down))ms",
        ])
      try await next.operation.wait { try await clock.sleep(wait) }
      waited += wait
      attempt += 1
      next.operation.attempt = attempt
      counters.update {
        $0.retries += 1
        $0.waited += wait
      }
    }
  }

  private func isWorthRepeating(_ head: HTTPResponse) -> Bool {
    [408, 429, 500, 502, 503, 504].contains(head.status.code)
  }

  private func isWorthRepeating(
    _ error: SessionError, _ request: Request, _ operation: Operation
  ) -> Bool {
    switch error {
    // If a redirect cannot be followed, the request before it was received all the same.
    case .connectionFailed, .timedOut(.connect, _): !operation.wasAnswered || request.canBeRepeated
    case .connectionLost, .timedOut(.idle, _), .timedOut(.request, _): request.canBeRepeated
    default: false
    }
  }

  /// Returns the wait that the server asks for, or the backoff; `nil` if it exceeds the limits, or
  /// the request refuses it.
  private func pause(
    after head: HTTPResponse, _ request: Request, attempt: Int, waited: Duration,
    _ clock: TimeSource
  ) -> Duration? {
    let asked = RetryAfter.seconds(in: head, now: clock.wall()).map { Duration.seconds($0) }
    let pause = asked ?? policy.backoff(after: attempt, clock)
    let longest = min(policy.maxWait, request.maximumWait ?? policy.maxWait)
    guard pause <= longest, waited + pause <= policy.totalWait else { return nil }
    guard pause >= .seconds(1), let onWait = request.onWait else { return pause }
    let isAsked = asked != nil || head.status.code == 429
    return onWait(RequestWait(reason: isAsked ? .askedByServer : .failedAttempt, duration: pause))
      ? pause : nil
  }
}
