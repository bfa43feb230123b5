import Logging
import SystemSupport

/// Sends a request once it has a permit, the session is not suspended, and the published limits
/// allow it.
///
/// A request holds its permit until the whole response has arrived, or its stream has ended. A
/// request that waits for a busy server holds no permit of the session that others could use.
struct AdmissionMiddleware: Middleware {
  let permits: AsyncSemaphore
  let sharedPermits: SharedPermits?
  /// True if the session leaves room to the account's other sessions.
  let isBackground: Bool
  let hosts: HostPermits?
  let rate: RateLimiter?
  let log: Logger

  /// The longest wait for a published limit, if the request has no bound of its own.
  ///
  /// A waiting request holds a permit, and a daily limit can require hours.
  private static let maximumWait = Duration.seconds(600)

  private static func patience(of request: Request) -> Duration {
    request.maximumWait ?? maximumWait
  }

  /// Returns the longest wait for another process that counts its requests.
  ///
  /// That process usually needs only a moment, so even a request that may not wait for the limit
  /// waits for it.
  static func patienceForCounting(_ request: Request) -> Duration {
    max(patience(of: request), .seconds(30))
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    // A link may send a request again, instead of a stream that it releases.
    next.operation.startOver()
    guard let host = hosts?[request.origin] else { return try await admit(request, next) }
    return try await hold(host, next.operation) { try await admit(request, next) }
  }

  private func admit(_ request: Request, _ next: MiddlewareChain) async throws -> StreamingResponse
  {
    // The session's permit comes first: while the session is suspended, it holds no shared permit.
    try await hold(permits, next.operation) {
      // A link's server is not the account's.
      guard let sharedPermits, !request.isLink else { return try await go(request, next) }
      return try await share(sharedPermits, request.origin, next.operation) {
        try await go(request, next)
      }
    }
  }

  private func share(
    _ permits: SharedPermits, _ origin: Origin, _ operation: Operation,
    _ body: () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    let isBackground = isBackground
    try await operation.timing(.permit) {
      try await operation.wait { try await permits.take(isBackground: isBackground) }
    }
    do {
      let response = try await body()
      if response.body.isWhole {
        permits.release(isBackground: isBackground)
      } else {
        if isBackground { permits.began(operation, from: origin) }
        operation.onFinish {
          if isBackground { permits.ended(operation) }
          permits.release(isBackground: isBackground)
        }
      }
      return response
    } catch {
      permits.release(isBackground: isBackground)
      throw error
    }
  }

  private func go(_ request: Request, _ next: MiddlewareChain) async throws -> StreamingResponse {
    try await waitForRate(request, next.operation)
    return try await next.send(request)
  }

  private func hold(
    _ permits: AsyncSemaphore, _ operation: Operation, _ body: () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    if !permits.tryAcquire() {
      try await operation.timing(.permit) { try await operation.wait { try await permits.take() } }
    }
    do {
      let response = try await body()
      if response.body.isWhole {
        permits.release()
      } else {
        operation.onFinish { permits.release() }
      }
      return response
    } catch {
      permits.release()
      throw error
    }
  }

  private func waitForRate(_ request: Request, _ operation: Operation) async throws {
    guard let rate, !request.isLink else { return }
    while true {
      let reservation = rate.reserve()
      let later: Duration?
      do {
        try await wait(reservation.duration, request, operation)
        later = try await rate.claim(
          in: operation, waitingAtMost: Self.patienceForCounting(request),
          isBackground: isBackground)
      } catch {
        rate.cancel(reservation)
        throw error
      }
      guard let later else { return }
      // Other processes have used up the limit, so this moment is of no use.
      rate.cancel(reservation)
      try await wait(later, request, operation)
    }
  }

  private func wait(
    _ duration: Duration, _ request: Request, _ operation: Operation
  ) async throws {
    guard duration > .zero else { return }
    guard duration <= Self.patience(of: request) else {
      throw SessionError.rateLimited(retryAfter: duration)
    }
    if duration >= .seconds(1) {
      log.debug(
        "waiting for the rate limit",
        metadata: ["wait": "\(Int(clamping: duration / .milliseconds(1), rounding: .down))ms"])
      let wait = RequestWait(reason: .publishedLimit, duration: duration)
      guard request.onWait?(wait) ?? true else {
        throw SessionError.rateLimited(retryAfter: duration)
      }
    }
    try await operation.timing(.permit) {
      try await operation.wait { try await operation.clock.sleep(duration) }
    }
  }
}
