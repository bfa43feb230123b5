import Synchronization
import SystemSupport

/// One request on its way through a session, with everything that may happen to it: attempts,
/// deadlines, and being ended from outside.
///
/// Whoever waits is released at once when it is ended, also where the work behind does not heed
/// cancellation.
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

  /// Which attempt this is, from 1.
  var attempt: Int {
    get { state.withLock { $0.attempt } }
    set { state.withLock { $0.attempt = newValue } }
  }

  /// Why a request failed: what was ended from outside sees no more of it than a cancellation.
  func cause(of error: any Error, attempt: Int) -> any Error {
    guard error is CancellationError else { return error }
    return state.withLock { state in
      if let interruption = state.interruption, interruption.attempt == attempt {
        return interruption.error
      }
      return state.ending ?? error
    }
  }

  /// Whether any server has answered any of its requests.
  var wasAnswered: Bool { state.withLock { $0.wasAnswered } }

  var timings: OperationTimings { state.withLock { $0.timings } }

  /// Measures what is waited for, and adds it to the timings.
  func timing<Value>(
    _ wait: OperationTimings.Wait, _ body: () async throws -> Value
  ) async rethrows -> Value {
    // Whatever is waited for, it is not the server that is silent.
    pause()
    let begin = clock.uptime()
    defer {
      let duration = clock.uptime() - begin
      state.withLock { $0.timings.add(duration, of: wait) }
    }
    return try await body()
  }

  /// Whether credentials may be replaced; once for each operation.
  func claimCredentialReplacement() -> Bool {
    state.withLock { state in
      defer { state.hasReplacedCredentials = true }
      return !state.hasReplacedCredentials
    }
  }

  /// Ends it: whoever waits gets the error, and nothing new is begun.
  func end(with error: any Error) {
    release(markEnded(by: error), with: error)
  }

  /// Sees to it that nothing new is begun, and answers who is still to be told.
  func markEnded(by error: any Error) -> [OperationScope] {
    state.withLock { state in
      guard state.ending == nil else { return [] }
      state.ending = error
      return state.scopes.map(\.id).compactMap { state.markEnded($0, by: error) }
    }
  }

  /// Tells those who wait.
  func release(_ scopes: [OperationScope], with error: any Error) {
    for scope in scopes { scope.end(with: error) }
  }

  /// Bounds the whole.
  func limit(to duration: Duration, _ error: @escaping @autoclosure @Sendable () -> SessionError) {
    let id = watch.arm(after: duration) { [weak self] _ in
      self?.end(with: error())
      return nil
    }
    state.withLock { $0.deadlines.append(id) }
  }

  /// Lets something go at the end, or at once where that was before.
  func onFinish(_ release: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isFinished { state.releases.append(release) }
      return state.isFinished
    }
    if isLate { release() }
  }

  /// Lets go of what an earlier attempt holds.
  func startOver() {
    abandonStream()
    let releases = state.withLock { state in
      defer { state.releases = [] }
      return state.releases
    }
    for release in releases { release() }
  }

  /// It is over: lets go of everything.
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
