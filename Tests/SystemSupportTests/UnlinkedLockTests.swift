import Foundation
import SystemSupport
import TestSupport
import Testing

/// Locks whose files are removed or replaced while they are held.
@Suite(.timeLimit(.minutes(10))) struct UnlinkedLockTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("lock") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func isFree() throws -> Bool {
    let lock = try FileLock.tryAcquire(at: path)
    return lock != nil
  }

  private func acquire() throws -> FileLock {
    guard let lock = try FileLock.tryAcquire(at: path) else {
      throw FileLockError.heldElsewhere(path: path)
    }
    return lock
  }

  // Edge case 27
  @Test("a holder whose file was removed releases its own file, and no other")
  func removed() throws {
    let first = try acquire()
    try FileManager.default.removeItem(atPath: path)
    // The file that is there is another one, and has one holder as well.
    let second = try acquire()
    let (isFirstInPlace, isSecondInPlace) = (first.isStillInPlace, second.isStillInPlace)
    #expect(isSecondInPlace && !isFirstInPlace)
    #expect(FileLock.holder(of: path) == getpid())
    first.release()
    #expect(try !isFree())
    second.release()
    #expect(try isFree())
  }

  // Edge case 27
  @Test("a file that takes the place of the one that is held is another lock")
  func replaced() throws {
    let first = try acquire()
    let other = try folder.write("", to: "other")
    #expect(rename(other, path) == 0)
    let isInPlace = first.isStillInPlace
    #expect(!isInPlace)
    #expect(try isFree())
    first.release()
    #expect(try isFree())
  }

  // Edge case 27
  @Test("a waiter gets the lock that exists in the end, whatever became of its file")
  func waiting() async throws {
    let path = path
    let first = try acquire()
    let waiter = Task {
      try await FileLock.withLock(at: path, timeout: .seconds(600)) {
        FileLock.holder(of: path) == getpid()
      }
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(try await waiter.joined)
    first.release()
    #expect(try isFree())
  }

  // Edge case 27
  @Test("a lock file that is a link, or a folder, is no lock")
  func foreign() throws {
    let target = try folder.write("kept", to: "target")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(throws: FileLockError.self) { _ = try isFree() }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: FileLockError.self) { _ = try isFree() }
  }

  // Edge case 27
  @Test(
    "a lock in a read-only folder fails, and the error names the cause",
    .enabled(if: geteuid() != 0, "nothing is read-only to root"))
  func readOnly() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }
    #expect(throws: FileLockError.notWritable(path: path, errno: EACCES)) { _ = try isFree() }
  }
}
