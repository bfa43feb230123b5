import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemSupport

@Suite(.timeLimit(.minutes(10))) struct FileLockTests {
  @Test("a lock has one holder at a time, and the next one after its release")
  func exclusion() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lock")
    let first = try FileLock.tryAcquire(at: path)
    let isHeld = first != nil
    #expect(isHeld)
    let second = try FileLock.tryAcquire(at: path)
    let isRefused = second == nil
    #expect(isRefused)
    if let first { first.release() }
    let third = try FileLock.tryAcquire(at: path)
    let isHeldAgain = third != nil
    #expect(isHeldAgain)
  }

  @Test("waiting ends with a typed error when the time is up, and immediately when cancelled")
  func waiting() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lock")
    try await FileLock.withLock(at: path, timeout: Patience.limit) {
      await #expect(throws: FileLockError.heldElsewhere(path: path)) {
        try await FileLock.withLock(at: path, timeout: .milliseconds(30)) {}
      }
      let waiter = Task { try await FileLock.withLock(at: path, timeout: .seconds(600)) {} }
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.joined }
    }
  }

  // Edge case 27
  @Test("a path that is no folder is a typed error")
  func notWritable() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("", to: "file")
    do {
      _ = try FileLock.tryAcquire(at: file + "/lock")
      Issue.record("no error")
    } catch FileLockError.notWritable {}
  }

  // Edge cases 24 and 28
  @Test("the lock goes with its holder's process, and a child does not inherit it")
  func processes() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lock")
    let sleeper: ChildProcess
    do {
      let lock = try FileLock.tryAcquire(at: path)
      sleeper = try ChildProcess(try #require(ChildProcess.find("sleep")), ["60"], environment: [:])
      if let lock { lock.release() }
    }
    let free = try FileLock.tryAcquire(at: path)
    let isFree = free != nil
    #expect(isFree)
    sleeper.send(SIGKILL)
    _ = await sleeper.ending()
  }

  @Test("a holder is found by device and inode; a file of the same number elsewhere is another")
  func listed() {
    let table = """
      1: POSIX  ADVISORY  WRITE 11 fe:01:7 0 EOF
      2: FLOCK  ADVISORY  WRITE 12 fe:02:7 0 EOF
      2: -> FLOCK  ADVISORY  WRITE 13 fe:01:7 0 EOF
      3: FLOCK  ADVISORY  WRITE 14 fe:01:7 0 EOF
      """
    #expect(ListedFile(major: 0xFE, minor: 1, inode: 7).holder(in: table) == 14)
    #expect(ListedFile(major: 0xFE, minor: 2, inode: 7).holder(in: table) == 12)
    #expect(ListedFile(major: 0xFE, minor: 3, inode: 7).holder(in: table) == nil)
  }

  @Test("the holder of a lock is found among hundreds of others")
  func longList() throws {
    let folder = try TemporaryDirectory()
    // More than the kernel lists in one page.
    let others = (0..<300).map { folder.file("\($0)") }.map { open($0, O_RDWR | O_CREAT, 0o600) }
    defer { for other in others { close(other) } }
    for other in others { try #require(flock(other, LOCK_EX | LOCK_NB) == 0) }
    for name in ["0", "150", "299"] {
      #expect(FileLock.holder(of: folder.file(name)) == getpid())
    }
  }

  @Test(
    "the holder of a lock is listed, on whichever file system", arguments: ["/tmp", "/dev/shm"])
  func holder(folder: String) throws {
    let path = "\(folder)/appcore-lock-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      try Test.cancel("this machine has no \(folder)")
    }
    let lock = try FileLock.tryAcquire(at: path)
    #expect(FileLock.holder(of: path) == getpid())
    if let lock { lock.release() }
    #expect(FileLock.holder(of: path) == nil)
  }
}
