/// Bounds everything behind it in time: credentials, slot, head and body.
struct DeadlineLink: Link {
  let phase: SessionError.Phase
  let limit: Duration
  let clock: any Clock<Duration>
  let next: any Link

  func send(_ request: Request) async throws -> Response {
    try await withThrowingTaskGroup(of: Response?.self) { group in
      group.addTask { try await next.send(request) }
      group.addTask {
        try await clock.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let response = first else {
        throw SessionError.timedOut(phase: phase, origin: request.origin)
      }
      return response
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Waits on a clock of unknown kind.
  func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}
