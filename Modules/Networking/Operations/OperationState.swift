/// The state of an operation.
struct OperationState {
  /// The error with which the operation was ended from outside.
  var ending: (any Error)?
  /// True if nothing waits for the operation any more.
  var isFinished = false
  /// The error with which an attempt was ended from outside; it outlives the attempt's scope.
  var interruption: (attempt: Int, error: any Error)?
  var nextScope = 0
  var scopes: [OperationScope] = []
  var deadlines: [Int] = []
  var releases: [@Sendable () -> Void] = []
  var hasReplacedCredentials = false
  /// True if a server has answered, so that something was received.
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

  /// Marks a scope as ended; returns it if it was not ended before.
  mutating func markEnded(_ id: Int, by error: any Error) -> OperationScope? {
    guard let index = scopes.firstIndex(where: { $0.id == id && $0.ending == nil }) else {
      return nil
    }
    scopes[index].ending = error
    interruption = (attempt, error)
    return scopes[index]
  }

  /// Sets how a scope's task is cancelled; returns `false` if the scope has already ended.
  mutating func attach(_ cancel: @escaping @Sendable () -> Void, to id: Int) -> Bool {
    guard let index = scopes.firstIndex(where: { $0.id == id }), scopes[index].ending == nil else {
      return false
    }
    scopes[index].cancel = cancel
    return true
  }
}

/// Running work, and the way to end it.
struct OperationScope {
  let id: Int
  let resolve: @Sendable (any Error) -> Void
  var cancel: (@Sendable () -> Void)?
  /// The error with which the scope was ended.
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

/// The time that an operation spent waiting.
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
