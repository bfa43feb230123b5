import Foundation
import Logging
import Networking
import Synchronization
import SystemSupport

/// A small file that counts an account's requests across processes.
///
/// Without it, a program that starts every minute could use up a day's requests unknowingly.
///
/// The file holds the number of requests in each period of five minutes, and nothing else. If it is
/// lost or damaged, counting starts again from zero: the server enforces its limits anyway. Counts
/// that cannot be written stay in memory until they can be.
final class RequestCountFile: RequestCounts {
  private struct State {
    /// The requests that this process has counted and could not write.
    var unwritten = RequestCountTable()
    var hasWarned = false
  }

  let path: String
  private let time: TimeSource
  private let log: Logger
  private let state = Mutex(State())

  init(path: String, log: Logger, time: TimeSource = .system) {
    self.path = path
    self.log = log
    self.time = time
  }

  func add(
    within limits: [RateLimit], waitingAtMost patience: Duration
  ) async throws -> Duration? {
    try await count(waitingAtMost: patience, within: limits)
  }

  func add(waitingAtMost patience: Duration) async throws {
    _ = try await count(waitingAtMost: patience, within: nil)
  }

  /// - Parameter limits: the limits to keep; with `nil`, the request counts whatever the limits
  ///   are.
  private func count(
    waitingAtMost patience: Duration, within limits: [RateLimit]?
  ) async throws -> Duration? {
    let lock: HeldLock?
    do {
      lock = try await HeldLock.acquire(at: path + ".lock", timeout: patience)
    } catch FileLockError.heldElsewhere {
      throw RequestCountsHeld()
    } catch let error as FileLockError {
      // Do not wait for the lock: other processes cannot count here either.
      warn("\(error)")
      lock = nil
    }
    defer { lock?.release() }
    let (isLocked, now) = (
      lock != nil, Int64(clamping: time.wall().timeIntervalSince1970, rounding: .towardZero)
    )
    return await BlockingWork.run { [self] in count(at: now, within: limits, isLocked: isLocked) }
  }

  private func count(at now: Int64, within limits: [RateLimit]?, isLocked: Bool) -> Duration? {
    let (wait, problem) = state.withLock { state -> (Duration?, String?) in
      var table = Self.read(path) ?? RequestCountTable()
      table.add(state.unwritten)
      if let wait = limits.flatMap({ table.wait(within: $0, at: now) }) { return (wait, nil) }
      if let limits { table.add(at: now, within: limits) } else { table.add(at: now) }
      let problem = isLocked ? Self.write(table, to: path) : "the file is not locked"
      if problem == nil {
        state.unwritten = RequestCountTable()
      } else {
        state.unwritten.add(at: now)
      }
      return (nil, problem)
    }
    if let problem { warn(problem) }
    return wait
  }

  /// Warns only once, because every request would repeat the warning.
  private func warn(_ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
    guard isFirst else { return }
    log.warning(
      "counting requests in memory; other processes do not see them",
      metadata: ["file": "\(path)", "error": "\(reason)"])
  }

  private static func read(_ path: String) -> RequestCountTable? {
    (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(RequestCountTable.init(text:))
  }

  /// Writes the file; returns the problem if that fails.
  private static func write(_ table: RequestCountTable, to path: String) -> String? {
    do {
      try AtomicFile.replace(path, with: Data(table.text.utf8), isDurable: false)
      return nil
    } catch {
      return "cannot write the file: \(SystemErrorText.of(error) ?? "unknown cause")"
    }
  }
}
