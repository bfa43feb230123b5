import Synchronization
import SystemSupport

/// Signs of activity of the server, for streams.
extension Operation {
  /// Notes that a request is sent; until the connection is made, another limit applies.
  func begins(connect: Duration) {
    let now = clock.uptime()
    state.withLock { $0.activity = OperationActivity(last: now + connect, isPaused: false) }
  }

  /// Notes that the server sent something, or that the receiver is ready again.
  func heard() {
    let now = clock.uptime()
    state.withLock { $0.activity = OperationActivity(last: now, isPaused: false) }
  }

  /// Notes that the head of a response arrived.
  func headArrived() {
    let now = clock.uptime()
    state.withLock {
      $0.activity = OperationActivity(last: now, isPaused: false)
      $0.timings.head = now
      $0.wasAnswered = true
    }
  }

  /// Notes that the receiver is busy.
  func pause() {
    state.withLock { $0.activity.isPaused = true }
  }

  func quietUntil(_ idle: Duration, now: Duration) -> Duration? {
    let activity = state.withLock { $0.activity }
    // Checked again soon: once the receiver continues, the limit has to apply exactly.
    if activity.isPaused { return now + idle / 4 }
    return activity.last + idle > now ? activity.last + idle : nil
  }
}
