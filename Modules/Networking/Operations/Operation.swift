import Synchronization

/// One request on its way through a session, with everything that may happen to it: attempts,
/// deadlines, and being ended from outside.
///
/// Whoever waits is released at once when it is ended, also where the work behind does not heed
/// cancellation.
final class Operation: Sendable {
  private struct State {
    /// Why it was ended from outside.
    var ending: (any Error)?
    var nextScope = 0
    var scopes: [Scope] = []
    var deadlines: [Int] = []
    var releases: [@Sendable () -> Void] = []
    var hasReplacedCredentials = false
    var attempt = 1
    var activity = Activity()
    var timings = Timings()

    mutating func enter(_ resolve: @escaping @Sendable (any Error) -> Void) throws -> Int {
      if let ending { throw ending }
      nextScope += 1
      scopes.append(Scope(id: nextScope, resolve: resolve))
      return nextScope
    }

    /// Marks a scope as ended, and answers it where it was not.
    mutating func markEnded(_ id: Int, by error: any Error) -> Scope? {
      guard let index = scopes.firstIndex(where: { $0.id == id && $0.ending == nil }) else {
        return nil
      }
      scopes[index].ending = error
      return scopes[index]
    }

    /// Names the task of a scope; `false` where the scope was ended before.
    mutating func attach(_ task: Task<Void, Never>, to id: Int) -> Bool {
      guard let index = scopes.firstIndex(where: { $0.id == id }), scopes[index].ending == nil else {
        return false
      }
      scopes[index].task = task
      return true
    }
  }

  /// Something that runs now, and how it is ended.
  private struct Scope {
    let id: Int
    let resolve: @Sendable (any Error) -> Void
    var task: Task<Void, Never>?
    /// Why it was ended.
    var ending: (any Error)?

    func end(with error: any Error) {
      resolve(error)
      task?.cancel()
    }
  }

  /// When something was last heard from the server, and whether anything can be.
  private struct Activity {
    var last = Duration.zero
    /// The receiver is busy, so the server's silence is not its own.
    var isPaused = false
  }

  /// Where the time went.
  struct Timings: Sendable {
    enum Wait { case turn, credentials }

    private(set) var turn = Duration.zero
    private(set) var credentials = Duration.zero
    /// When the last response's head was there.
    var head: Duration?

    mutating func add(_ duration: Duration, of wait: Wait) {
      switch wait {
      case .turn: turn += duration
      case .credentials: credentials += duration
      }
    }
  }

  let tag: RequestTag?
  let clock: SessionClock
  private let watch: DeadlineWatch
  private let state = Mutex(State())

  init(tag: RequestTag?, clock: SessionClock, watch: DeadlineWatch) {
    self.tag = tag
    self.clock = clock
    self.watch = watch
  }

  /// Which attempt this is, from 1.
  var attempt: Int {
    get { state.withLock { $0.attempt } }
    set { state.withLock { $0.attempt = newValue } }
  }

  var timings: Timings { state.withLock { $0.timings } }

  /// Measures what is waited for, and adds it to the timings.
  func timing<Value>(
    _ wait: Timings.Wait, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let begin = clock.now()
    defer {
      let duration = clock.now() - begin
      state.withLock { $0.timings.add(duration, of: wait) }
    }
    return try await body()
  }

  /// Whether credentials may be replaced; once for each operation.
  func claimReplacementOfCredentials() -> Bool {
    state.withLock { state in
      defer { state.hasReplacedCredentials = true }
      return !state.hasReplacedCredentials
    }
  }

  /// Ends it: whoever waits gets the error, and nothing new is begun.
  func end(with error: any Error) {
    let scopes = state.withLock { state -> [Scope] in
      guard state.ending == nil else { return [] }
      state.ending = error
      return state.scopes.map(\.id).compactMap { state.markEnded($0, by: error) }
    }
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

  /// Lets something go at the end.
  func onFinish(_ release: @escaping @Sendable () -> Void) {
    state.withLock { $0.releases.append(release) }
  }

  /// It is over: lets go of everything.
  func finish() {
    let (deadlines, releases) = state.withLock { state in
      defer {
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
    let task = Task { try await work() }
    let scope: Int
    do {
      scope = try state.withLock { try $0.enter { _ in task.cancel() } }
    } catch {
      task.cancel()
      throw error
    }
    defer { leave(scope) }
    do {
      try await withTaskCancellationHandler { try await task.value } onCancel: { task.cancel() }
    } catch {
      throw state.withLock { $0.ending } ?? error
    }
  }

  /// Runs an attempt, bounded as a whole and between two signs of life.
  ///
  /// Where `continues` says that the value is not the end, the bounds stay until the operation's end,
  /// and apply to what ``continue(with:)`` names.
  func runAttempt(
    request: Duration, idle: Duration, origin: Origin?,
    _ work: @escaping @Sendable () async throws -> StreamingResponse
  ) async throws -> StreamingResponse {
    let (outcome, task, scope) = try begin(work)
    heard()
    let deadlines = [
      watch.arm(after: request) { [weak self] _ in
        self?.end(scope, with: .timedOut(phase: .request, origin: origin))
        return nil
      },
      watch.arm(after: idle) { [weak self] now in
        guard let self else { return nil }
        if let later = quietUntil(idle, now: now) { return later }
        end(scope, with: .timedOut(phase: .idle, origin: origin))
        return nil
      },
    ]
    do {
      let response = try await Self.value(of: outcome, task)
      if response.body.isWhole {
        leave(scope, deadlines)
      } else {
        state.withLock { $0.deadlines += deadlines }
      }
      return response
    } catch {
      leave(scope, deadlines)
      throw error
    }
  }

  /// Puts what goes on after an attempt, reading a body, in the place of all that ran so far.
  func `continue`(with end: @escaping @Sendable (any Error) -> Void) {
    let ending = state.withLock { state in
      let ending = state.ending ?? state.scopes.compactMap(\.ending).first
      state.scopes = state.scopes.map { Scope(id: $0.id, resolve: end) }
      if state.scopes.isEmpty { _ = try? state.enter(end) }
      return ending
    }
    if let ending { end(ending) }
  }

  /// Something came from the server, or the receiver is ready again.
  func heard() {
    let now = clock.now()
    state.withLock { $0.activity = Activity(last: now) }
  }

  /// The head of a response came.
  func headArrived() {
    let now = clock.now()
    state.withLock {
      $0.activity = Activity(last: now)
      $0.timings.head = now
    }
  }

  /// The receiver is busy.
  func pause() {
    state.withLock { $0.activity.isPaused = true }
  }

  private func quietUntil(_ idle: Duration, now: Duration) -> Duration? {
    let activity = state.withLock { $0.activity }
    if activity.isPaused { return now + idle }
    return activity.last + idle > now ? activity.last + idle : nil
  }

  private func begin<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> (SharedOutcome<Value>, Task<Void, Never>, scope: Int) {
    let outcome = SharedOutcome<Value>()
    let scope = try state.withLock { try $0.enter { outcome.resolve(.failure($0)) } }
    // It begins on the caller's thread: what need not wait is not handed to another one.
    let task = Task.immediate {
      do { outcome.resolve(.success(try await work())) } catch { outcome.resolve(.failure(error)) }
    }
    if !state.withLock({ $0.attach(task, to: scope) }) { task.cancel() }
    return (outcome, task, scope)
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
    state.withLock { $0.markEnded(scope, by: error) }?.end(with: error)
  }

  private func leave(_ scope: Int, _ deadlines: [Int] = []) {
    state.withLock { $0.scopes.removeAll { $0.id == scope } }
    for deadline in deadlines { watch.disarm(deadline) }
  }
}
