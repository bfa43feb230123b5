import Logging

/// Lets a request go when it is its turn, the session is not suspended, and the published rate
/// allows it.
///
/// A turn lasts until the response is there as a whole, or its stream has ended. Whoever waits for a
/// busy server holds no turn of the session's that others could use.
struct AdmissionMiddleware: Middleware {
  let turns: TurnQueue
  let hosts: HostTurns?
  let rate: RateLimiter?
  let log: Logger

  func send(_ request: Request, next: Next) async throws -> StreamingResponse {
    // A link may hand a request on again, in place of a stream that it lets go of.
    next.operation.startOver()
    guard let host = hosts?[request.origin] else { return try await admit(request, next) }
    return try await hold(host, next.operation) { try await admit(request, next) }
  }

  private func admit(_ request: Request, _ next: Next) async throws -> StreamingResponse {
    try await hold(turns, next.operation) {
      try await waitForRate(request, next.operation)
      return try await next.send(request)
    }
  }

  private func hold(
    _ turns: TurnQueue, _ operation: Operation, _ body: () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    if !turns.takeAtOnce() {
      try await operation.timing(.turn) { try await operation.wait { try await turns.take() } }
    }
    do {
      let response = try await body()
      if response.body.isWhole {
        turns.giveBack()
      } else {
        operation.onFinish { turns.giveBack() }
      }
      return response
    } catch {
      turns.giveBack()
      throw error
    }
  }

  private func waitForRate(_ request: Request, _ operation: Operation) async throws {
    guard let rate else { return }
    let reservation = rate.reserve()
    guard reservation.duration > .zero else { return }
    guard reservation.duration <= request.maximumWait ?? reservation.duration else {
      rate.giveBack(reservation)
      throw SessionError.rateLimited(retryAfter: reservation.duration)
    }
    if reservation.duration >= .seconds(1) {
      log.info(
        "waiting for the rate limit",
        metadata: ["wait": "\(Int(reservation.duration / .milliseconds(1)))ms"])
    }
    do {
      try await operation.timing(.turn) {
        try await operation.wait { try await operation.clock.sleep(reservation.duration) }
      }
    } catch {
      rate.giveBack(reservation)
      throw error
    }
  }
}
