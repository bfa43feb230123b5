import Glibc
import Synchronization

/// Whether a signal has asked the program to end, as something that `poll(2)` can wait for.
///
/// Whoever waits for a reader or a writer waits for this as well, so that a terminal that is
/// stopped or a pipe that nobody empties keeps nobody from ending the program.
final class InterruptionFlag: Sendable {
  /// That of the process.
  static let shared = InterruptionFlag()

  /// Readable once the flag is raised, and ever after; -1 where the system gave none.
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

  /// Waits until a descriptor is ready, or the flag is raised; `true` where it is ready.
  ///
  /// It blocks its thread. Where the flag is raised it waits `patience` milliseconds at the most.
  func wait(for descriptor: CInt, _ events: Int32, patience: CInt = 0) -> Bool {
    while true {
      let isRaised = isRaised
      var polled = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: isRaised ? -1 : self.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, isRaised ? patience : -1)
      if count < 0 {
        guard errno == EINTR else { return true }
        continue
      }
      if polled[0].revents != 0 { return true }
      if isRaised { return false }
    }
  }
}
