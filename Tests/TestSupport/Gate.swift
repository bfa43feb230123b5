import Synchronization

/// Holds tasks back until it is opened, once and for all.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextID = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Waits until it is open, or the task is cancelled: a test whose time is up ends.
  package func wait() async {
    let id = newID()
    await withTaskCancellationHandler {
      await wait(as: id, heedsCancellation: true)
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }

  /// Waits until it is open whatever becomes of the task, as a part does that heeds no
  /// cancellation.
  package func waitWhateverHappens() async {
    await wait(as: newID(), heedsCancellation: false)
  }

  private func newID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  private func wait(as id: Int, heedsCancellation: Bool) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        // One that is cancelled already has had its handler run: it would never be resumed.
        if state.isOpen || heedsCancellation && Task.isCancelled { return true }
        state.waiters[id] = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }
}
