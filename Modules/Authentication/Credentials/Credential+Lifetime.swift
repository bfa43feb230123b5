import Foundation

/// When a credential is fresh, due for renewal, and no longer sent.
///
/// Both margins are shares of the token's own life, so that a short-lived token is neither stale
/// the moment it arrives nor renewed in a loop.
extension Credential {
  private var lifetime: TimeInterval? {
    expiresAt.map { max(0, $0.timeIntervalSince(obtainedAt)) }
  }

  /// How long before its end it is no longer sent: a tenth of its life, 30 s at the most.
  private var endMargin: TimeInterval { min(30, (lifetime ?? 0) / 10) }

  /// How long before its end it is renewed ahead of need: a fifth of its life, 5 minutes at the most.
  private var renewalMargin: TimeInterval { min(300, (lifetime ?? 0) / 5) }

  /// The time left, seen from `now`; `nil` without a known end.
  ///
  /// Never more than the whole life: a clock that was set back does not prolong it.
  private func timeLeft(at now: Date) -> TimeInterval? {
    expiresAt.map { min($0.timeIntervalSince(now), lifetime ?? 0) }
  }

  /// How long it may still be sent, in seconds; `nil` without a known end.
  func remaining(at now: Date) -> TimeInterval? {
    timeLeft(at: now).map { $0 - endMargin }
  }

  /// Whether it may be sent at `now`.
  func isUsable(at now: Date) -> Bool {
    hasAccessToken && (remaining(at: now).map { $0 > 0 } ?? true)
  }

  /// How long until it should be renewed ahead of need, in seconds; `nil` without a known end.
  ///
  /// - Parameter jitter: 0 to 1; up to a quarter of the margin earlier, which keeps processes that
  ///   share a login apart.
  func timeToRenewal(at now: Date, jitter: Double = 0) -> TimeInterval? {
    timeLeft(at: now).map { $0 - renewalMargin * (1 + jitter / 4) }
  }

  /// Whether it is usable and not yet due for renewal for anybody, however early their jitter.
  func isFresh(at now: Date) -> Bool {
    hasAccessToken && (timeToRenewal(at: now, jitter: 1).map { $0 > 0 } ?? true)
  }
}
