import Synchronization
import SystemSupport

/// A number of requests in an interval, as providers publish it.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests.
  public var requests: Int
  /// The interval; no period of this length has more requests.
  public var interval: Duration

  /// Creates a limit.
  public init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}

/// Counts requests together with those of other processes, for limits whose intervals outlast one.
///
/// If another process holds the count, it waits: an uncounted request would exceed the limit.
package protocol RequestCounts: Sendable {
  /// Counts a request that is about to be sent, if every limit allows it.
  ///
  /// - Parameter patience: the longest wait for another process that counts.
  /// - Returns: the time until there is room, if a limit does not allow the request; it is then not
  ///   counted.
  /// - Throws: ``RequestCountsHeld`` after that wait; `CancellationError`.
  func add(within limits: [RateLimit], waitingAtMost patience: Duration) async throws -> Duration?

  /// Counts a request that is sent regardless of the limits.
  ///
  /// - Parameter patience: the longest wait for another process that counts.
  /// - Throws: ``RequestCountsHeld`` after that wait; `CancellationError`.
  func add(waitingAtMost patience: Duration) async throws
}

/// An error for a count of requests that another process has held longer than a request may wait.
package struct RequestCountsHeld: Error {
  package init() {}
}

extension RateLimit {
  /// True if processes that start and end within the interval share the limit.
  package var outlastsProcesses: Bool { interval >= .seconds(3_600) }
}

/// Spreads requests so that no period of a limit's interval has more requests than it allows.
final class RateLimiter: Sendable {
  struct Reservation: Sendable {
    let at: Duration
    let duration: Duration
  }

  private let limits: [RateLimit]
  private let longest: Duration
  /// The count that is shared with other processes, for limits that outlast one process.
  private let counts: (any RequestCounts)?
  /// The limiter of all accounts together, which counts each request as well.
  private let common: RateLimiter?
  private let clock: TimeSource
  /// The moments at which the last requests were or will be sent, oldest first.
  private let moments = Mutex<[Duration]>([])

  init(
    _ limits: [RateLimit], counts: (any RequestCounts)? = nil, common: RateLimiter? = nil,
    clock: TimeSource
  ) {
    self.limits = limits
    self.common = common
    self.counts = limits.contains(where: \.outlastsProcesses) ? counts : nil
    longest = limits.map(\.interval).max() ?? .zero
    self.clock = clock
  }

  /// Reserves the next moment that every limit leaves free.
  func reserve() -> Reservation {
    // One reading of the clock: with one for each limiter, the later moment would always be the
    // other limiter's, and the search for a common one would never end.
    let now = clock.uptime()
    var own = reserve(notBefore: now, at: now)
    guard let common else { return own }
    while true {
      let shared = common.reserve(notBefore: own.at, at: now)
      guard shared.at > own.at else { return own }
      remove(own)
      own = reserve(notBefore: shared.at, at: now)
      guard own.at > shared.at else { return own }
      common.remove(shared)
    }
  }

  private func reserve(notBefore earliest: Duration, at now: Duration) -> Reservation {
    moments.withLock { moments in
      moments.removeFirst(moments.prefix { $0 + longest <= now }.count)
      let free = limits.reduce(earliest) { free, limit in
        let count = max(1, limit.requests)
        guard moments.count >= count else { return free }
        return max(free, moments[moments.count - count] + limit.interval)
      }
      Self.insert(free, into: &moments)
      return Reservation(at: free, duration: free - now)
    }
  }

  func cancel(_ reservation: Reservation) {
    remove(reservation)
    common?.remove(reservation)
  }

  private func remove(_ reservation: Reservation) {
    moments.withLock { moments in
      if let index = moments.lastIndex(of: reservation.at) { moments.remove(at: index) }
    }
  }

  /// Counts a request that is about to be sent together with those of other processes.
  ///
  /// - Parameters:
  ///   - patience: the longest wait for another process that counts.
  ///   - isBackground: true to leave a fifth of each limit to the requests of other sessions.
  /// - Returns: the time until there is room, if there is none now; the request is then not
  ///   counted.
  /// - Throws: ``SessionError/rateLimited(retryAfter:)`` after that wait, because it is then
  ///   unknown whether there is room.
  func claim(
    in operation: Operation, waitingAtMost patience: Duration, isBackground: Bool = false
  ) async throws -> Duration? {
    guard let counts else { return nil }
    let lasting = limits.filter(\.outlastsProcesses).map { limit in
      let own = isBackground ? limit.requests - limit.requests / 5 : limit.requests
      return RateLimit(requests: own, interval: limit.interval)
    }
    return try await Self.refusing {
      try await operation.run { try await counts.add(within: lasting, waitingAtMost: patience) }
    }
  }

  /// Counts a request that is sent regardless of the limits: a redirect, or a repetition with newer
  /// credentials.
  func count(in operation: Operation, waitingAtMost patience: Duration) async throws {
    let now = clock.uptime()
    for limiter in [self, common].compactMap(\.self) {
      limiter.moments.withLock { Self.insert(now, into: &$0) }
    }
    guard let counts else { return }
    try await Self.refusing {
      try await operation.run { try await counts.add(waitingAtMost: patience) }
    }
  }

  private static func refusing<Value>(_ count: () async throws -> Value) async throws -> Value {
    do {
      return try await count()
    } catch is RequestCountsHeld {
      throw SessionError.rateLimited(retryAfter: .seconds(60))
    }
  }

  private static func insert(_ moment: Duration, into moments: inout [Duration]) {
    let index = moments.lastIndex { $0 <= moment }.map { $0 + 1 } ?? 0
    moments.insert(moment, at: index)
  }
}
