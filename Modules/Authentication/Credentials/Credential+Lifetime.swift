import Foundation

/// The margins before expiry: a credential is first due for early renewal, and later no longer
/// sent.
///
/// Both margins are fractions of the token's own lifetime, so that a short-lived token is neither
/// stale on arrival nor renewed in a loop.
extension Credential {
  private var lifetime: TimeInterval? {
    expiresAt.map { max(0, $0.timeIntervalSince(obtainedAt)) }
  }

  /// The time before expiry in which it is no longer sent: a tenth of its lifetime, at most 30 s.
  private var expiryMargin: TimeInterval { min(30, (lifetime ?? 0) / 10) }

  /// The time before expiry in which it is renewed early: a fifth of its lifetime, at most 5
  /// minutes.
  private var renewalMargin: TimeInterval { min(300, (lifetime ?? 0) / 5) }

  /// Returns the time from `now` to expiry; `nil` if that is unknown.
  ///
  /// It is never more than the whole lifetime: a clock that was set back does not prolong it.
  private func timeLeft(at now: Date) -> TimeInterval? {
    expiresAt.map { min($0.timeIntervalSince(now), lifetime ?? 0) }
  }

  /// Returns the time for which it may still be sent, in seconds; `nil` if its expiry is unknown.
  func remaining(at now: Date) -> TimeInterval? {
    timeLeft(at: now).map { $0 - expiryMargin }
  }

  /// Returns true if it may be sent at `now`.
  func isUsable(at now: Date) -> Bool {
    hasAccessToken && (remaining(at: now).map { $0 > 0 } ?? true)
  }

  /// Returns the time until early renewal, in seconds; `nil` if the expiry is unknown.
  ///
  /// - Parameter jitter: 0 to 1, for up to a quarter of the margin earlier; it prevents
  ///   simultaneous renewals by processes that share a login.
  func timeToRenewal(at now: Date, jitter: Double = 0) -> TimeInterval? {
    timeLeft(at: now).map { $0 - renewalMargin * (1 + jitter / 4) }
  }

  /// Returns true if it is usable and no process, whatever its jitter, would renew it yet.
  func isFresh(at now: Date) -> Bool {
    hasAccessToken && (timeToRenewal(at: now, jitter: 1).map { $0 > 0 } ?? true)
  }
}
