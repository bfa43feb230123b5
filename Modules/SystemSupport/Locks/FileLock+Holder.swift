package import Foundation
import Glibc

// Facts about a lock that others may hold.
extension FileLock {
  /// Notes the present time in the file, for those who wait for the lock.
  package borrowing func noteTime() {
    // The lock works without it, so a file system that refuses is ignored.
    _ = utimensat(AT_FDCWD, path, nil, 0)
  }

  /// Returns the time that the last holder noted; `nil` if there is no file.
  package static func notedTime(of path: String) -> Date? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return Date(
      timeIntervalSince1970: Double(found.st_mtim.tv_sec) + Double(found.st_mtim.tv_nsec) / 1e9)
  }

  /// Returns whether some process holds the lock on a file, without creating the file.
  package static func isHeld(at path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A shared lock is released with the descriptor.
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
