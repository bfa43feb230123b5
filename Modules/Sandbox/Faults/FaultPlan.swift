import Synchronization

/// The armed faults, in the order in which they were armed.
final class FaultPlan: Sendable {
  private let armed: Mutex<[Fault]>

  init(_ faults: [Fault] = []) {
    armed = Mutex(faults)
  }

  func arm(_ faults: [Fault]) {
    armed.withLock { $0 += faults }
  }

  func clear() {
    armed.withLock { $0.removeAll() }
  }

  /// Returns the fault that applies to a request, and decrements its count.
  func next(for path: String, of organisation: String? = nil) -> Fault? {
    armed.withLock { armed in
      for index in armed.indices where armed[index].matches(path, of: organisation) {
        guard armed[index].skip == 0 else {
          armed[index].skip -= 1
          continue
        }
        let fault = armed[index]
        armed[index].times -= 1
        if armed[index].times == 0 { armed.remove(at: index) }
        return fault
      }
      return nil
    }
  }
}
