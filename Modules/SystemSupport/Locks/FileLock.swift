package import Foundation
import Glibc
import Synchronization

/// A `flock(2)` on a file, held for as long as the value lives; it is exclusive if nobody asks for
/// a shared one.
///
/// The kernel releases the lock when the process ends, however it ends, so a crash leaves
/// nothing to clean up. The lock belongs to one open file: two values exclude each other within a
/// process as well. The descriptor is closed on `exec`, so a child never inherits the lock.
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: CInt
  /// The file that is locked.
  package let path: String

  private init(descriptor: CInt, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    // Closing the only descriptor of the open file releases the lock.
    close(descriptor)
  }

  /// Takes the lock, or returns `nil` if it is held elsewhere.
  ///
  /// The file is created with mode 0600 and never removed: after a removal, two holders could have
  /// a lock.
  ///
  /// - Parameter isShared: true for a lock that others may share.
  package static func tryAcquire(
    at path: String, isShared: Bool = false
  ) throws(FileLockError) -> FileLock? {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw error(for: errno, path: path) }
      let lock = FileLock(descriptor: descriptor, path: path)
      guard try tryLock(descriptor, at: path, isShared: isShared) else { return nil }
      // The file may have been deleted between the `open` and the `flock`. Then the lock is on a
      // file that nobody else can find, and the one at the path has to be locked instead.
      if lock.isStillInPlace { return lock }
    }
  }

  /// Locks a file that the caller has opened; closing its descriptor releases the lock.
  ///
  /// - Returns: `false` if another open file holds the lock.
  package static func tryLock(
    _ descriptor: CInt, at path: String, isShared: Bool = false
  ) throws(FileLockError) -> Bool {
    let kind = isShared ? LOCK_SH : LOCK_EX
    var result: CInt
    repeat { result = flock(descriptor, kind | LOCK_NB) } while result != 0 && errno == EINTR
    if result == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw error(for: errno, path: path)
  }

  /// Takes the lock, waiting for its holder up to `timeout`; calls `onWait` before it waits.
  ///
  /// - Throws: ``FileLockError/heldElsewhere(path:)`` when the time is up; `CancellationError` when
  ///   the waiting task is cancelled.
  package static func acquire(
    at path: String,
    isShared: Bool = false,
    timeout: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    onWait: () -> Void = {}
  ) async throws -> FileLock {
    // `flock` has no asynchronous form, and a blocking call could not be cancelled. So this retries
    // after a pause that grows to 50 ms, with jitter to separate the waiters.
    var waited = Duration.zero
    var pause = Duration.milliseconds(2)
    while true {
      try Task.checkCancellation()
      if let lock = try tryAcquire(at: path, isShared: isShared) { return lock }
      guard waited < timeout else { throw FileLockError.heldElsewhere(path: path) }
      if waited == .zero { onWait() }
      let jittered = min(pause * Double.random(in: 0.5...1), timeout - waited)
      try await clock.sleep(for: jittered)
      waited += jittered
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  /// Runs `body` while the lock is held; see ``acquire(at:timeout:clock:onWait:)``.
  package static func withLock<Value>(
    at path: String,
    timeout: Duration,
    onWait: () -> Void = {},
    _ body: () async throws -> Value
  ) async throws -> Value {
    let lock = try await acquire(at: path, timeout: timeout, onWait: onWait)
    return try await lock.whileHeld(body)
  }

  /// Runs `body`, and releases the lock at its end.
  package consuming func whileHeld<Value>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await body()
      release()
      return value
    } catch {
      release()
      throw error
    }
  }

  /// Releases the lock now, before the end of the value's life.
  package consuming func release() {}

  /// True if the path still leads to the locked file.
  package var isStillInPlace: Bool { Self.isInPlace(descriptor, at: path) }

  /// Returns whether an open file is the one to which a path leads.
  package static func isInPlace(_ descriptor: CInt, at path: String) -> Bool {
    var held = stat()
    var found = stat()
    guard fstat(descriptor, &held) == 0, lstat(path, &found) == 0 else { return false }
    return held.st_ino == found.st_ino && held.st_dev == found.st_dev
  }

  /// Returns the process that currently holds the lock on a file, as the kernel lists it.
  ///
  /// - Returns: `nil` if the lock is free, or the kernel does not list the holder.
  package static func holder(of path: String) -> Int32? {
    guard let file = ListedFile(path: path) else { return nil }
    // The table is read in pieces, and an entry can be missed while others are added and removed.
    for _ in 0..<10 {
      guard let table = KernelFile.text(at: "/proc/locks") else { return nil }
      if let holder = file.holder(in: table) { return holder }
    }
    return nil
  }

  private static func error(for code: CInt, path: String) -> FileLockError {
    switch code {
    case EACCES, EROFS, EPERM, ENOENT, ENOTDIR, ELOOP: .notWritable(path: path, errno: code)
    default: .failed(path: path, errno: code)
    }
  }
}

extension Clock where Duration == Swift.Duration {
  fileprivate func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}

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

/// The reason why a lock between processes could not be taken.
package enum FileLockError: Error, Sendable, Equatable {
  /// Another process, or another open file of this one, holds the lock and did not release it in
  /// time.
  case heldElsewhere(path: String)
  /// The folder or the file cannot be written by this user, or the file system is read-only.
  case notWritable(path: String, errno: Int32)
  /// The system refused for another reason.
  case failed(path: String, errno: Int32)

  /// The path of the lock file.
  package var path: String {
    switch self {
    case .heldElsewhere(let path), .notWritable(let path, _), .failed(let path, _): path
    }
  }
}

extension FileLockError: CustomStringConvertible {
  /// A sentence for the user.
  package var description: String {
    switch self {
    case .heldElsewhere(let path): "another process holds \(path)"
    case .notWritable(let path, _): "cannot write \(path): \(reason)"
    case .failed(let path, _): "cannot lock \(path): \(reason)"
    }
  }

  var reason: String {
    switch self {
    case .heldElsewhere: "another process holds it"
    case .notWritable(_, let code), .failed(_, let code): SystemErrorText.of(errno: code)
    }
  }
}

/// A lock that outlives the call that took it; it is released at the latest with the last
/// reference.
package final class HeldLock: Sendable {
  private let lock: Mutex<FileLock?>

  private init(_ lock: consuming FileLock) {
    self.lock = Mutex(lock)
  }

  /// Takes the lock; see ``FileLock/acquire(at:timeout:clock:onWait:)``.
  package static func acquire(
    at path: String, isShared: Bool = false, timeout: Duration
  ) async throws -> HeldLock {
    HeldLock(try await FileLock.acquire(at: path, isShared: isShared, timeout: timeout))
  }

  /// Releases the lock; later calls do nothing.
  package func release() {
    lock.withLock { $0 = nil }
  }
}
