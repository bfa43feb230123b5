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

  /// Waits for something that heeds cancellation, and that has to be given back where it comes too
  /// late: other than with ``run(_:)``, what was got is never lost.
  func wait(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let scope = try state.withLock { try $0.enter { _ in } }
    defer { leave(scope) }
    // It begins on the caller's thread: who comes first is first in a queue.
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

  /// Waits for something that is ended by a call, in the caller's own task.
  func run<Value>(
    endedBy end: @escaping @Sendable (any Error) -> Void, _ body: () async throws -> Value
  ) async throws -> Value {
    let scope = try state.withLock { try $0.enter(end) }
    defer { leave(scope) }
    return try await body()
  }

  /// Runs an attempt in the caller's own task, bounded as a whole.
  ///
  /// Nothing in it may wait other than in a scope of its own, which is ended with the attempt.
  func runAttempt(
    request: Duration, origin: Origin?, _ work: () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    try Task.checkCancellation()
    let scope = try state.withLock { try $0.enter { _ in } }
    let deadline = watch.arm(after: request) { [weak self] _ in
      self?.end(scope, with: .timedOut(phase: .request, origin: origin))
      return nil
    }
    defer { leave(scope, [deadline]) }
    return try await work()
  }

  /// Runs an attempt in a task of its own, bounded as a whole, and for streams between two signs of
  /// life.
  ///
  /// The bounds of a stream stay until the operation's end, and apply to what ``continue(with:)``
  /// names.
  func runAttempt(
    request: Duration, idle: Duration?, origin: Origin?,
    _ work: @escaping @Sendable () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    pause()
    let (outcome, task, scope) = try begin(work)
    var deadlines = [
      watch.arm(after: request) { [weak self] _ in
        self?.end(scope, with: .timedOut(phase: .request, origin: origin))
        return nil
      }
    ]
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

  /// Lets go of an earlier attempt whose body nobody is to read any more.
  func abandonStream() {
    let stream = state.withLock { state in
      defer { state.stream = nil }
      return state.stream
    }
    if let stream { leave(stream.scope, stream.deadlines) }
  }

  /// Puts what goes on after an attempt, reading a body, in the place of all that ran so far.
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
    // A task of its own would know nothing of the caller's.
    try Task.checkCancellation()
    let outcome = SharedOutcome<Value>()
    let scope = try state.withLock { try $0.enter { outcome.resolve(.failure($0)) } }
    // It begins on the caller's thread: what need not wait is not handed to another one.
    let task = Task.immediate {
      do {
        outcome.resolve(.success(try await work()))
      } catch {
        // The task may be cancelled between the marking of its scope and the telling.
        outcome.resolve(.failure(self.ending(of: scope) ?? error))
      }
    }
    if !state.withLock({ $0.attach({ task.cancel() }, to: scope) }) { task.cancel() }
    return (outcome, task, scope)
  }

  /// Returns the error that ended a scope from outside, if there is one.
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
    // What the scope has begun ends with it.
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
