import Synchronization

/// Spreads requests so that no stretch of time as long as the interval has more than are allowed.
final class RateLimiter: Sendable {
  /// A moment that was set aside for one request.
  struct Reservation: Sendable {
    let at: Duration
    /// How long it is until then.
    let duration: Duration
  }

  private let limit: RateLimit
  private let clock: SessionClock
  /// When the last requests were or will be sent, the oldest first.
  private let moments = Mutex<[Duration]>([])

  init(_ limit: RateLimit, clock: SessionClock) {
    self.limit = limit
    self.clock = clock
  }

  /// Sets the next free moment aside.
  func reserve() -> Reservation {
    let now = clock.now()
    return moments.withLock { moments in
      moments.removeAll { $0 + limit.interval <= now }
      let count = max(1, limit.requests)
      let earliest =
        moments.count < count ? now : max(now, moments[moments.count - count] + limit.interval)
      moments.append(earliest)
      return Reservation(at: earliest, duration: earliest - now)
    }
  }

  /// Gives back a moment at which nothing was sent.
  func giveBack(_ reservation: Reservation) {
    moments.withLock { moments in
      if let index = moments.lastIndex(of: reservation.at) { moments.remove(at: index) }
    }
  }

  /// Counts a request that was sent without asking: a repetition with newer credentials.
  func count() {
    let now = clock.now()
    moments.withLock { moments in
      let index = moments.firstIndex { $0 > now } ?? moments.endIndex
      moments.insert(now, at: index)
    }
  }
}
