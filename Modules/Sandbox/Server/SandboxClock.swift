import Synchronization

/// The clock of tokens, limits and links, which only goes forward and can be moved.
final class SandboxClock: Sendable {
  private let offset = Mutex(Duration.zero)

  var now: ContinuousClock.Instant { .now + offset.withLock { $0 } }

  func move(by duration: Duration) {
    offset.withLock { $0 += max(.zero, duration) }
  }
}
