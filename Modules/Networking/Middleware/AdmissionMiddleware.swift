/// Lets a request go when it is its turn, the session is not suspended, and the published rate
/// allows it.
///
/// A turn lasts until the response is there as a whole, or its stream has ended.
struct AdmissionMiddleware: Middleware {
  let turns: TurnQueue
  let rate: RateLimiter?

  func send(_ request: Request, next: Next) async throws -> StreamingResponse {
    let operation = next.operation
    if !turns.takeAtOnce() {
      try await operation.timing(.turn) {
        try await operation.wait { [turns] in try await turns.take() }
      }
    }
    do {
      if let wait = rate?.reserve(), wait.duration > .zero {
        do {
          try await operation.timing(.turn) {
            try await operation.wait { try await operation.clock.sleep(wait.duration) }
          }
        } catch {
          rate?.giveBack(wait)
          throw error
        }
      }
      let response = try await next.send(request)
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
}
