import Synchronization

/// The counts of what a session has done since it was created.
public struct SessionStatistics: Sendable, Equatable {
  /// Requests that went to the wire, retries and redirects included.
  public package(set) var requests = 0
  /// Requests that were sent again.
  public package(set) var retries = 0
  /// Time spent waiting before sending again.
  public package(set) var waited: Duration = .zero
  /// Bytes of bodies that were read.
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
