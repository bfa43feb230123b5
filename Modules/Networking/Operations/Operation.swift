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

  var wasAnswered: Bool { state.withLock { $0.wasAnswered } }

  var timings: OperationTimings { state.withLock { $0.timings } }

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

  func release(_ scopes: [OperationScope], with error: any Error) {
    for scope in scopes { scope.end(with: error) }
  }

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

  func startOver() {
    abandonStream()
    let releases = state.withLock { state in
      defer { state.releases = [] }
      return state.releases
    }
    for release in releases { release() }
  }

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

struct OperationState {
  /// The error with which the operation was ended from outside.
  var ending: (any Error)?
  var isFinished = false
  /// The error with which an attempt was ended from outside; it outlives the attempt's scope.
  var interruption: (attempt: Int, error: any Error)?
  var nextScope = 0
  var scopes: [OperationScope] = []
  var deadlines: [Int] = []
  var releases: [@Sendable () -> Void] = []
  var hasReplacedCredentials = false
  var wasAnswered = false
  /// The attempt whose body has not been read yet, with its deadlines.
  var stream: (scope: Int, deadlines: [Int])?
  var attempt = 1
  var activity = OperationActivity()
  var timings = OperationTimings()

  mutating func enter(_ resolve: @escaping @Sendable (any Error) -> Void) throws -> Int {
    if let ending { throw ending }
    // A part that ignored the cancellation is still running.
    if isFinished { throw CancellationError() }
    if let ending = scopes.last?.ending { throw ending }
    nextScope += 1
    scopes.append(OperationScope(id: nextScope, resolve: resolve))
    return nextScope
  }

  mutating func markEnded(_ id: Int, by error: any Error) -> OperationScope? {
    guard let index = scopes.firstIndex(where: { $0.id == id && $0.ending == nil }) else {
      return nil
    }
    scopes[index].ending = error
    interruption = (attempt, error)
    return scopes[index]
  }

  mutating func attach(_ cancel: @escaping @Sendable () -> Void, to id: Int) -> Bool {
    guard let index = scopes.firstIndex(where: { $0.id == id }), scopes[index].ending == nil else {
      return false
    }
    scopes[index].cancel = cancel
    return true
  }
}

struct OperationScope {
  let id: Int
  let resolve: @Sendable (any Error) -> Void
  var cancel: (@Sendable () -> Void)?
  var ending: (any Error)?

  func end(with error: any Error) {
    resolve(error)
    cancel?()
  }
}

/// The time when the server was last heard, and whether it can be heard now.
struct OperationActivity {
  var last = Duration.zero
  /// True if nothing was sent yet or the receiver is busy, so that silence is not the server's.
  var isPaused = true
}

struct OperationTimings: Sendable {
  enum Wait { case permit, credentials }

  private(set) var permit = Duration.zero
  private(set) var credentials = Duration.zero
  /// The time when the last response's head arrived.
  var head: Duration?

  mutating func add(_ duration: Duration, of wait: Wait) {
    switch wait {
    case .permit: permit += duration
    case .credentials: credentials += duration
    }
  }
}

/// Signs of activity of the server, for streams.
extension Operation {
  /// Notes that a request is sent; until the connection is made, another limit applies.
  func begins(connect: Duration) {
    let now = clock.uptime()
    state.withLock { $0.activity = OperationActivity(last: now + connect, isPaused: false) }
  }

  /// Notes that the server sent something, or that the receiver is ready again.
  func heard() {
    let now = clock.uptime()
    state.withLock { $0.activity = OperationActivity(last: now, isPaused: false) }
  }

  func headArrived() {
    let now = clock.uptime()
    state.withLock {
      $0.activity = OperationActivity(last: now, isPaused: false)
      $0.timings.head = now
      $0.wasAnswered = true
    }
  }

  func pause() {
    state.withLock { $0.activity.isPaused = true }
  }

  func quietUntil(_ idle: Duration, now: Duration) -> Duration? {
    let activity = state.withLock { $0.activity }
    // Checked again soon: once the receiver continues, the limit has to apply exactly.
    if activity.isPaused { return now + idle / 4 }
    return activity.last + idle > now ? activity.last + idle : nil
  }
}
