import Synchronization

/// The counts of a session's work since its creation.
public struct SessionStatistics: Sendable, Equatable {
  /// The number of requests on the wire, retries and redirects included.
  public package(set) var requests = 0
  /// The number of retries.
  public package(set) var retries = 0
  /// The time spent waiting before retries.
  public package(set) var waited: Duration = .zero
  /// The number of bytes of bodies that were read.
  public package(set) var bytesReceived = 0
}

/// The counters that the links of one session share.
final class SessionCounters: Sendable {
  private let state = Mutex(SessionStatistics())

  var snapshot: SessionStatistics { state.withLock { $0 } }

  func update(_ change: (inout SessionStatistics) -> Void) {
    state.withLock { change(&$0) }
  }
}
