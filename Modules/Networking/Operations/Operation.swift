import Synchronization
import SystemSupport

/// One request on its way through a session, with its attempts and deadlines.
///
/// It can be ended from outside. A waiter is then resumed immediately, even if the work behind it
/// ignores cancellation.
final class Operation: Sendable {
  let tag: RequestTag?
  let clock: TimeSource
  let watch: DeadlineScheduler
  let state = Mutex(OperationState())

  init(tag: RequestTag?, clock: TimeSource, watch: DeadlineScheduler) {
    self.tag = tag
    self.clock = clock
    self.watch = watch
  }

  /// The number of this attempt, from 1.
  var attempt: Int {
    get { state.withLock { $0.attempt } }
    set { state.withLock { $0.attempt = newValue } }
  }

  /// Returns the reason why a request failed.
  ///
  /// Code that was ended from outside sees only a cancellation.
  func cause(of error: any Error, attempt: Int) -> any Error {
    guard error is CancellationError else { return error }
    return state.withLock { state in
      if let interruption = state.interruption, interruption.attempt == attempt {
        return interruption.error
      }
      return state.ending ?? error
    }
  }

  /// True if a server has answered any request of the operation.
  var wasAnswered: Bool { state.withLock { $0.wasAnswered } }

  var timings: OperationTimings { state.withLock { $0.timings } }

  /// Measures a wait, and adds it to the timings.
  func timing<Value>(
    _ wait: OperationTimings.Wait, _ body: () async throws -> Value
  ) async rethrows -> Value {
    // During this wait, the silence is not the server's.
    pause()
    let begin = clock.uptime()
    defer {
      let duration = clock.uptime() - begin
      state.withLock { $0.timings.add(duration, of: wait) }
    }
    return try await body()
  }

  /// Claims the right to replace the credentials; returns `true` only once per operation.
  func claimCredentialReplacement() -> Bool {
    state.withLock { state in
      defer { state.hasReplacedCredentials = true }
      return !state.hasReplacedCredentials
    }
  }

  /// Ends the operation: every waiter receives the error, and nothing new starts.
  func end(with error: any Error) {
    release(markEnded(by: error), with: error)
  }

  /// Prevents new work from starting.
  ///
  /// - Returns: the scopes whose waiters still have to be resumed; see ``release(_:with:)``.
  func markEnded(by error: any Error) -> [OperationScope] {
    state.withLock { state in
      guard state.ending == nil else { return [] }
      state.ending = error
      return state.scopes.map(\.id).compactMap { state.markEnded($0, by: error) }
    }
  }

  /// Resumes the waiters of scopes.
  func release(_ scopes: [OperationScope], with error: any Error) {
    for scope in scopes { scope.end(with: error) }
  }

  /// Limits the time of the whole operation.
  func limit(to duration: Duration, _ error: @escaping @autoclosure @Sendable () -> SessionError) {
    let id = watch.arm(after: duration) { [weak self] _ in
      self?.end(with: error())
      return nil
    }
    state.withLock { $0.deadlines.append(id) }
  }

  /// Calls `release` when the operation finishes, or immediately if it has.
  func onFinish(_ release: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isFinished { state.releases.append(release) }
      return state.isFinished
    }
    if isLate { release() }
  }

  /// Releases the resources that an earlier attempt holds.
  func startOver() {
    abandonStream()
    let releases = state.withLock { state in
      defer { state.releases = [] }
      return state.releases
    }
    for release in releases { release() }
  }

  /// Releases everything at the end.
  func finish() {
    abandonStream()
    let (deadlines, releases) = state.withLock { state in
      defer {
        state.isFinished = true
        state.deadlines = []
        state.releases = []
        state.scopes = []
      }
      return (state.deadlines, state.releases)
    }
    for deadline in deadlines { watch.disarm(deadline) }
    for release in releases { release() }
  }
}
