import Synchronization
import SystemSupport

/// Signs of life of the server, for streams.
extension Operation {
  /// A request goes out; until the connection stands, another bound holds.
  func begins(connect: Duration) {
    let now = clock.uptime()
    state.withLock { $0.activity = OperationActivity(last: now + connect, isPaused: false) }
  }

  /// Something came from the server, or the receiver is ready again.
  func heard() {
    let now = clock.uptime()
    state.withLock { $0.activity = OperationActivity(last: now, isPaused: false) }
  }

  /// The head of a response came.
  func headArrived() {
    let now = clock.uptime()
    state.withLock {
      $0.activity = OperationActivity(last: now, isPaused: false)
      $0.timings.head = now
      $0.wasAnswered = true
    }
  }

  /// The receiver is busy.
  func pause() {
    state.withLock { $0.activity.isPaused = true }
  }

  func quietUntil(_ idle: Duration, now: Duration) -> Duration? {
    let activity = state.withLock { $0.activity }
    // Looked at again soon: from when it goes on, the bound is to hold exactly enough.
    if activity.isPaused { return now + idle / 4 }
    return activity.last + idle > now ? activity.last + idle : nil
  }
}
