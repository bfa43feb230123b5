import Glibc
import Synchronization

/// A flag that a signal raises to ask the program to end, and that `poll(2)` can wait for.
///
/// Code that waits for a reader or a writer also waits for this flag, so that a stopped terminal or
/// a full pipe cannot keep the program from ending.
final class InterruptionFlag: Sendable {
  /// The flag of the process.
  static let shared = InterruptionFlag()

  /// The descriptor that becomes readable when the flag is raised, and stays so; -1 if the system
  /// provided none.
  let descriptor: CInt
  private let source: CInt
  private let raised = Atomic(false)

  init() {
    var ends: [CInt] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, source) = (ends[0], ends[1])
  }

  deinit { for end in [descriptor, source] where end >= 0 { close(end) } }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    guard !raised.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(source, &byte, 1)
  }

  /// Waits until a descriptor is ready or the flag is raised; returns `true` if the descriptor is
  /// ready.
  ///
  /// It blocks the thread.
  ///
  /// - Parameters:
  ///   - patience: the longest wait in milliseconds once the flag is raised.
  ///   - limit: the longest wait in milliseconds before that; -1 is no limit.
  func wait(
    for descriptor: CInt, _ events: Int32, patience: CInt = 0, within limit: CInt = -1
  ) -> Bool {
    while true {
      let isRaised = isRaised
      var polled = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: isRaised ? -1 : self.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, isRaised ? patience : limit)
      if count < 0 {
        guard errno == EINTR else { return true }
        continue
      }
      if polled[0].revents != 0 { return true }
      if isRaised || count == 0 { return false }
    }
  }
}
