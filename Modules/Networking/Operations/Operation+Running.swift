import Synchronization
import SystemSupport

extension Operation {
  /// Runs work in a task that ends with the operation, or with the caller's own task.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (outcome, task, scope) = try begin(work)
    defer { leave(scope) }
    return try await Self.value(of: outcome, task)
  }

  /// Waits for work that respects cancellation, and whose result must be released if it comes too
  /// late.
  ///
  /// Unlike ``run(_:)``, it never loses a result.
  func wait(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let scope = try state.withLock { try $0.enter { _ in } }
    defer { leave(scope) }
    // The task starts on the caller's thread, so that the order in a queue is the order of the
    // calls.
    let task = Task.immediate { try await work() }
    if !state.withLock({ $0.attach({ task.cancel() }, to: scope) }) { task.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw ending(of: scope) ?? error
    }
  }

  /// Runs work in the caller's own task, which a call can end.
  func run<Value>(
    endedBy end: @escaping @Sendable (any Error) -> Void, _ body: () async throws -> Value
  ) async throws -> Value {
    let scope = try state.withLock { try $0.enter(end) }
    defer { leave(scope) }
    return try await body()
  }

  /// Runs an attempt in the caller's own task, with a limit on its total time.
  ///
  /// Everything in it that waits has to be in a scope of its own, which ends with the attempt.
  func runAttempt(
    _ request: Request, limit: Duration, _ work: () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    try Task.checkCancellation()
    let scope = try state.withLock { try $0.enter { _ in } }
    let deadline = arm(limit, of: request, in: scope)
    defer { leave(scope, [deadline]) }
    return try await work()
  }

  /// Runs an attempt in a task of its own, with a limit on its total time, and for streams on the
  /// time between two signs of activity.
  ///
  /// The limits of a stream last until the operation's end, and apply to the work that
  /// ``continue(with:)`` names.
  func runAttempt(
    _ request: Request, limit: Duration, idle: Duration?,
    _ work: @escaping @Sendable () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    pause()
    let (outcome, task, scope) = try begin(work)
    let origin = request.origin
    var deadlines = [arm(limit, of: request, in: scope)]
    if let idle {
      let id = watch.arm(after: idle) { [weak self] now in
        guard let self else { return nil }
        if let later = quietUntil(idle, now: now) { return later }
        end(scope, with: .timedOut(phase: .idle, origin: origin))
        return nil
      }
      deadlines.append(id)
    }
    do {
      let response = try await Self.value(of: outcome, task)
      if response.body.isWhole {
        leave(scope, deadlines)
      } else {
        state.withLock { $0.stream = (scope, deadlines) }
      }
      return response
    } catch {
      leave(scope, deadlines)
      throw error
    }
  }

  /// Arms the limit of an attempt, which a request that may have been written can extend.
  private func arm(_ limit: Duration, of request: Request, in scope: Int) -> Int {
    let (begin, origin) = (clock.uptime(), request.origin)
    let (longer, report) = (request.answerTimeout, request.writeReport)
    return watch.arm(after: limit) { [weak self] now in
      if let longer, report?.mayBeWritten == true, now < begin + longer { return begin + longer }
      self?.end(scope, with: .timedOut(phase: .request, origin: origin))
      return nil
    }
  }

  /// Abandons an earlier attempt whose body will not be read any more.
  func abandonStream() {
    let stream = state.withLock { state in
      defer { state.stream = nil }
      return state.stream
    }
    if let stream { leave(stream.scope, stream.deadlines) }
  }

  /// Replaces everything that ran so far by work that continues after an attempt: reading a body.
  func `continue`(with end: @escaping @Sendable (any Error) -> Void) {
    let ending = state.withLock { state in
      let ending = state.ending ?? state.scopes.compactMap(\.ending).first
      state.scopes = state.scopes.map { OperationScope(id: $0.id, resolve: end) }
      if state.scopes.isEmpty { _ = try? state.enter(end) }
      return ending
    }
    if let ending { end(ending) }
  }

  private func begin<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> (SharedOutcome<Value>, Task<Void, Never>, scope: Int) {
    // A separate task would not know of the caller's cancellation.
    try Task.checkCancellation()
    let outcome = SharedOutcome<Value>()
    let scope = try state.withLock { try $0.enter { outcome.resolve(.failure($0)) } }
    // The task starts on the caller's thread, so work that need not wait does not change threads.
    let task = Task.immediate {
      do {
        outcome.resolve(.success(try await work()))
      } catch {
        // The task may be cancelled after its scope is marked and before the waiter is resumed.
        outcome.resolve(.failure(self.ending(of: scope) ?? error))
      }
    }
    if !state.withLock({ $0.attach({ task.cancel() }, to: scope) }) { task.cancel() }
    return (outcome, task, scope)
  }

  private func ending(of scope: Int) -> (any Error)? {
    state.withLock { state in state.scopes.first { $0.id == scope }?.ending ?? state.ending }
  }

  private static func value<Value: Sendable>(
    of outcome: SharedOutcome<Value>, _ task: Task<Void, Never>
  ) async throws -> Value {
    do {
      return try await outcome.value()
    } catch {
      task.cancel()
      throw error
    }
  }

  private func end(_ scope: Int, with error: SessionError) {
    // Everything that the scope has started ends with it.
    let scopes = state.withLock { state in
      state.scopes.map(\.id).filter { $0 >= scope }.compactMap { state.markEnded($0, by: error) }
    }
    for scope in scopes { scope.end(with: error) }
  }

  private func leave(_ scope: Int, _ deadlines: [Int] = []) {
    state.withLock { $0.scopes.removeAll { $0.id == scope } }
    for deadline in deadlines { watch.disarm(deadline) }
  }
}
