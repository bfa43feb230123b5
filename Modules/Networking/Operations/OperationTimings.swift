/// When something was last heard from the server, and whether anything can be.
struct OperationActivity {
  var last = Duration.zero
  /// Nothing was sent yet or the receiver is busy, so the server's silence is not its own.
  var isPaused = true
}

/// Where the time went.
struct OperationTimings: Sendable {
  enum Wait { case permit, credentials }

  private(set) var permit = Duration.zero
  private(set) var credentials = Duration.zero
  /// When the last response's head was there.
  var head: Duration?

  mutating func add(_ duration: Duration, of wait: Wait) {
    switch wait {
    case .permit: permit += duration
    case .credentials: credentials += duration
    }
  }
}
