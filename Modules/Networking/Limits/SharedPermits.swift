import Synchronization

/// The permits for concurrent requests of an account, shared by all of its sessions.
///
/// Sessions in the background give way to the others. While another session has a request under
/// way, they have one permit, or as many as ``usual`` leaves free. A stream of theirs that holds
/// the permit which another session waits for is ended, and its reader begins again.
final class SharedPermits: Sendable {
  private struct Waiter {
    let id: Int
    let isBackground: Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    let limit: Int
    /// The permits that are held, by sessions in the foreground and in the background.
    var foreground = 0
    var background = 0
    var nextID = 0
    var waiters: [Waiter] = []
    /// The streams in the background that hold a permit, the newest at the end.
    var streams: [(operation: Operation, origin: Origin)] = []

    func isFree(_ isBackground: Bool) -> Bool {
      guard foreground + background < limit else { return false }
      guard isBackground else { return true }
      let isAlone = foreground == 0 && !waiters.contains { !$0.isBackground }
      return isAlone || background < max(1, limit - SharedPermits.usual)
    }

    mutating func hold(_ isBackground: Bool) {
      if isBackground { background += 1 } else { foreground += 1 }
    }

    /// Returns the waiters that may go on: those in the foreground first, each kind in the order of
    /// their arrival.
    mutating func admit() -> [CheckedContinuation<Void, any Error>] {
      var admitted: [CheckedContinuation<Void, any Error>] = []
      for isBackground in [false, true] {
        while let index = waiters.firstIndex(where: { $0.isBackground == isBackground }),
          isFree(isBackground)
        {
          hold(isBackground)
          admitted.append(waiters.remove(at: index).continuation)
        }
      }
      return admitted
    }
  }

  /// The number of concurrent requests of a sync.
  private static let usual = 4
  private let state: Mutex<State>

  init(limit: Int) {
    state = Mutex(State(limit: max(1, limit)))
  }

  /// Waits for a permit; a task that is cancelled leaves the queue.
  func take(isBackground: Bool) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let (answer, yielding) = state.withLock {
          state -> (Result<Void, any Error>?, (operation: Operation, origin: Origin)?) in
          if Task.isCancelled { return (.failure(CancellationError()), nil) }
          if state.isFree(isBackground) {
            state.hold(isBackground)
            return (.success(()), nil)
          }
          state.waiters.append(
            Waiter(id: id, isBackground: isBackground, continuation: continuation))
          return (nil, isBackground ? nil : state.streams.popLast())
        }
        if let answer { continuation.resume(with: answer) }
        if let (stream, origin) = yielding { Self.end(stream, from: origin) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  func release(isBackground: Bool) {
    change { state in
      if isBackground { state.background -= 1 } else { state.foreground -= 1 }
    }
  }

  /// Notes that an operation in the background holds a permit for a stream, which ends at once if
  /// another session already waits.
  func began(_ stream: Operation, from origin: Origin) {
    let yields = state.withLock { state in
      if state.waiters.contains(where: { !$0.isBackground }) { return true }
      state.streams.append((stream, origin))
      return false
    }
    if yields { Self.end(stream, from: origin) }
  }

  private static func end(_ stream: Operation, from origin: Origin) {
    stream.end(with: SessionError.connectionLost(origin: origin, underlying: GaveWay()))
  }

  /// Notes that a stream in the background has ended.
  func ended(_ stream: Operation) {
    state.withLock { state in state.streams.removeAll { $0.operation === stream } }
  }

  private func change(_ body: (inout State) -> Void) {
    let admitted = state.withLock { state in
      body(&state)
      return state.admit()
    }
    for continuation in admitted { continuation.resume() }
  }
}

/// The end of a stream in the background that gave its permit to another session.
///
/// A download goes on by itself.
struct GaveWay: Error {}
