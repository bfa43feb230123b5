import Foundation
import Logging
import Networking
import Synchronization
import SystemSupport

/// The request limits of each account at its server, shared by all sessions of the account.
final class AccountLimits: Sendable {
  private let folder: String
  private let log: Logger
  private let limits = Mutex<[String: SharedLimits]>([:])
  private let applications = Mutex<[String: ApplicationLimits]>([:])

  init(folder: String, log: Logger) {
    self.folder = folder
    self.log = log
  }

  func limits(
    of account: String, at origin: Origin, concurrency: Int?, application: ApplicationLimits?
  ) -> SharedLimits {
    // Account names and hosts contain only characters that are valid in a file name.
    let name = "\(account)@\(origin.host):\(origin.port)"
    return limits.withLock { limits in
      if let known = limits[name] { return known }
      let made = SharedLimits(
        concurrency: concurrency, counts: RequestCountFile(path: folder + "/" + name, log: log),
        application: application)
      limits[name] = made
      return made
    }
  }

  func limits(
    ofApplication client: String, at origin: Origin, _ published: [RateLimit]
  ) -> ApplicationLimits? {
    guard !published.isEmpty else { return nil }
    let name = "\(client)@\(origin.host):\(origin.port)"
    return applications.withLock { applications in
      if let known = applications[name] { return known }
      let made = ApplicationLimits(published)
      applications[name] = made
      return made
    }
  }
}

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

  private static func write(_ table: RequestCountTable, to path: String) -> String? {
    do {
      try AtomicFile.replace(path, with: Data(table.text.utf8), isDurable: false)
      return nil
    } catch {
      return "cannot write the file: \(SystemErrorText.of(error) ?? "unknown cause")"
    }
  }
}

/// A table of the number of requests in each period of five minutes, stored as text with one line
/// per period.
struct RequestCountTable: Equatable {
  private static let header = "appcore requests 1"
  /// Length of a period in seconds: short compared with an hour, the shortest interval of these
  /// limits.
  private static let width: Int64 = 300
  /// Counts by the start of their period, in seconds since 1970.
  private var counts: [Int64: Int] = [:]

  init() {}

  init?(text: String) {
    var lines = text.split(separator: "\n")
    // The last line distinguishes a complete text from one that was cut off.
    guard lines.count >= 2, lines.removeFirst() == Self.header, lines.removeLast() == "end" else {
      return nil
    }
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let begin = Int64(words[0]), begin >= 0, begin % Self.width == 0,
        let count = Int(words[1]), (1...1_000_000_000).contains(count),
        counts.updateValue(count, forKey: begin) == nil
      else { return nil }
    }
  }

  var text: String {
    let lines = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return Self.header + "\n" + lines.joined() + "end\n"
  }

  mutating func add(at now: Int64) { counts[now - now % Self.width, default: 0] += 1 }

  mutating func add(_ other: RequestCountTable) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Counts one request, and removes counts that no limit needs any more.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - limits: the limits to keep; counts of the last day stay whatever they are.
  mutating func add(at now: Int64, within limits: [RateLimit]) {
    add(at: now)
    let longest = max(86_400, limits.map(\.interval.components.seconds).max() ?? 0)
    counts = counts.filter { $0.key <= now && $0.key + Self.width > now - longest }
  }

  /// Returns the wait until another request keeps every limit; `nil` if it does so now.
  ///
  /// A request counts until its whole period has left the interval, so that none is sent too early.
  /// Counts with a future date were written before the clock was set back, and are ignored.
  func wait(within limits: [RateLimit], at now: Int64) -> Duration? {
    limits.compactMap { limit -> Int64? in
      let interval = limit.interval.components.seconds
      let counting = counts.filter { $0.key <= now && $0.key + Self.width > now - interval }
      var left = counting.values.reduce(0, +)
      let allowed = max(1, limit.requests)
      guard left >= allowed else { return nil }
      for (begin, count) in counting.sorted(by: { $0.key < $1.key }) {
        left -= count
        if left < allowed { return begin + Self.width + interval - now }
      }
      return nil
    }.max().map { .seconds($0) }
  }
}
