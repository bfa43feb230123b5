import FileLocking
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileLockTests {
  @Test("one holder at a time, and the next one when it lets go")
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

  @Test("waiting ends with a typed error when the time is up, and at once when cancelled")
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
  @Test(
    "a lock file that is deleted while it is held is noticed, and does not admit a second holder later"
  )
  func unlinked() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("lock")
    let first = try FileLock.tryAcquire(at: path)
    try FileManager.default.removeItem(atPath: path)
    if let first {
      let isStillInPlace = first.isStillInPlace
      #expect(!isStillInPlace)
      first.release()
    }
  }

  // Edge case 27
  @Test("a folder that is none is a typed error")
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
}
