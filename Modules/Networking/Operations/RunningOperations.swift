import Synchronization

/// The operations of a session that have not ended.
final class RunningOperations: Sendable {
  private struct State {
    /// The task that closes the session; further calls wait for the same task.
    var closing: Task<Void, Never>?
    var operations: [ObjectIdentifier: Operation] = [:]
  }

  private let session: String
  private let state = Mutex(State())

  /// - Parameter session: the name of the session, for errors.
  init(session: String) {
    self.session = session
  }

  /// True once the session is closed.
  var isClosed: Bool { state.withLock { $0.closing != nil } }

  /// Adds an operation.
  ///
  /// - Throws: ``SessionError/closed(session:)``.
  func add(_ operation: Operation) throws {
    try state.withLock { state in
      guard state.closing == nil else { throw SessionError.closed(session: session) }
      state.operations[ObjectIdentifier(operation)] = operation
    }
  }

  func remove(_ operation: Operation) {
    state.withLock { _ = $0.operations.removeValue(forKey: ObjectIdentifier(operation)) }
  }

  /// Ends the operations that `isChosen` returns true for.
  func end(_ isChosen: (Operation) -> Bool) {
    Self.end(state.withLock { $0.operations.values.filter(isChosen) }, of: session)
  }

  /// Refuses new operations, ends all others, and then calls `shutdown`; waits until it returns.
  func close(_ shutdown: @escaping @Sendable () async -> Void) async {
    let closing = state.withLock { state in
      if let closing = state.closing { return closing }
      let operations = Array(state.operations.values)
      let closing = Task { [session] in
        Self.end(operations, of: session)
        await shutdown()
      }
      state.closing = closing
      return closing
    }
    await closing.value
  }

  /// Ends operations.
  ///
  /// All are marked before the first waiter is resumed: a permit that one releases must not start
  /// another.
  private static func end(_ operations: [Operation], of session: String) {
    let error = SessionError.cancelled(session: session)
    let marked = operations.map { ($0, $0.markEnded(by: error)) }
    for (operation, scopes) in marked { operation.release(scopes, with: error) }
  }
}
