import Glibc
import Synchronization

/// The process that can use the library: the one that opened the first core.
///
/// A child of fork(2) has one thread only. The threads that run the library's work are missing
/// there, and a lock that one of them held stays locked for ever, so each call would risk a hang.
enum OwningProcess {
  /// 0 until a core is opened.
  private static let owner = Atomic<pid_t>(0)

  /// Makes this process the owner, unless another is.
  ///
  /// - Throws: ``Misuse/forked``.
  static func claim() throws {
    _ = owner.compareExchange(expected: 0, desired: getpid(), ordering: .acquiringAndReleasing)
    try check()
  }

  /// - Throws: ``Misuse/forked`` in a child of the process that opened the first core.
  static func check() throws {
    let owner = owner.load(ordering: .acquiring)
    guard owner == 0 || owner == getpid() else { throw Misuse.forked }
  }
}
