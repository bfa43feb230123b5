import Synchronization
import SystemSupport

/// Holds a lock until it is told to let go, as a process does that was stopped.
final class FileLockHolder: Sendable {
  private let held: Mutex<FileLock?>

  init?(_ path: String) throws {
    guard let lock = try FileLock.tryAcquire(at: path) else { return nil }
    held = Mutex(lock)
  }

  func release() {
    held.withLock { $0 = nil }
  }
}
