import Foundation
import Logging
import Networking
import Synchronization
import SystemSupport

/// Counts an account's requests in a small file, so that a program that is started every minute
/// does not spend a day's requests unknowingly.
///
/// It says how many were sent in which five minutes, and nothing else. Where it is lost or damaged,
/// counting begins anew: the server has the last word anyway. What cannot be written is counted in
/// memory until it can be.
final class RequestCountFile: RequestCounts {
  private struct State {
    /// What this process has counted and could not write.
    var unwritten = RequestCountTable()
    var hasWarned = false
  }

  let path: String
  private let now: @Sendable () -> Date
  private let log: Logger
  private let state = Mutex(State())

  init(path: String, log: Logger, now: @escaping @Sendable () -> Date = { Date() }) {
    self.path = path
    self.log = log
    self.now = now
  }

  func add(
    within limits: [RateLimit], waitingAtMost patience: Duration
  ) async throws -> Duration? {
    try await count(waitingAtMost: patience, within: limits)
  }

  func add(waitingAtMost patience: Duration) async throws {
    _ = try await count(waitingAtMost: patience, within: nil)
  }

  /// - Parameter limits: those that are to be kept; `nil` counts whatever is there already.
  private func count(
    waitingAtMost patience: Duration, within limits: [RateLimit]?
  ) async throws -> Duration? {
    let lock: HeldLock?
    do {
      lock = try await HeldLock.acquire(at: path + ".lock", timeout: patience)
    } catch FileLockError.heldElsewhere {
      throw RequestCountsHeld()
    } catch let error as FileLockError {
      // There is nobody to wait for: other processes cannot count here either.
      warn("\(error)")
      lock = nil
    }
    defer { lock?.release() }
    let (isLocked, now) = (lock != nil, Int64(now().timeIntervalSince1970))
    return await BlockingWork.run { [self] in count(at: now, within: limits, isLocked: isLocked) }
  }

  private func count(at now: Int64, within limits: [RateLimit]?, isLocked: Bool) -> Duration? {
    let (wait, isWritten) = state.withLock { state -> (Duration?, Bool) in
      var table = Self.read(path) ?? RequestCountTable()
      table.add(state.unwritten)
      if let wait = limits.flatMap({ table.wait(within: $0, at: now) }) { return (wait, true) }
      if let limits { table.add(at: now, within: limits) } else { table.add(at: now) }
      if isLocked, Self.write(table, to: path) {
        state.unwritten = RequestCountTable()
        return (nil, true)
      }
      state.unwritten.add(at: now)
      return (nil, false)
    }
    if !isWritten { warn("the file cannot be written") }
    return wait
  }

  /// Says it once: it would be said with every request.
  private func warn(_ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
    guard isFirst else { return }
    log.warning(
      "requests are counted in memory: other processes do not see them",
      metadata: ["file": "\(path)", "error": "\(reason)"])
  }

  private static func read(_ path: String) -> RequestCountTable? {
    (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(RequestCountTable.init(text:))
  }

  private static func write(_ table: RequestCountTable, to path: String) -> Bool {
    (try? AtomicFile.replace(path, with: Data(table.text.utf8), isDurable: false)) != nil
  }
}
