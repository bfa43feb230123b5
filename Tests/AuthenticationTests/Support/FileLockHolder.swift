import Synchronization
import SystemSupport

/// A holder of a lock until its release, as a stopped process is.
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
