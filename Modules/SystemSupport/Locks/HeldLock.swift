import Synchronization

/// A lock that outlives the call that took it; it is released at the latest with the last
/// reference.
package final class HeldLock: Sendable {
  private let lock: Mutex<FileLock?>

  private init(_ lock: consuming FileLock) {
    self.lock = Mutex(lock)
  }

  /// Takes the lock; see ``FileLock/acquire(at:timeout:clock:onWait:)``.
  package static func acquire(at path: String, timeout: Duration) async throws -> HeldLock {
    HeldLock(try await FileLock.acquire(at: path, timeout: timeout))
  }

  /// Releases the lock; later calls do nothing.
  package func release() {
    lock.withLock { $0 = nil }
  }
}
