import Glibc
import Synchronization

/// The open cores of the process, by their tickets.
///
/// A handle of the C interface is a ticket and no address, so a wrong or old one is only not found.
enum CoreTable {
  private struct State {
    var lastTicket: UInt = 0
    var cores: [UInt: OpenCore] = [:]
  }

  private static let state = Mutex(State())

  static func add(_ core: OpenCore) -> OpaquePointer? {
    state.withLock { state in
      state.lastTicket += 1
      state.cores[state.lastTicket] = core
      return OpaquePointer(bitPattern: state.lastTicket)
    }
  }

  static func core(_ ticket: OpaquePointer?) throws -> OpenCore {
    try find { $0[UInt(bitPattern: ticket)] }
  }

  static func remove(_ ticket: OpaquePointer?) throws -> OpenCore {
    try find { $0.removeValue(forKey: UInt(bitPattern: ticket)) }
  }

  private static func find(_ look: (inout [UInt: OpenCore]) -> OpenCore?) throws -> OpenCore {
    try OwningProcess.check()
    guard let core = state.withLock({ look(&$0.cores) }) else { throw Misuse.badHandle }
    return core
  }
}

/// The process that can use the library: the one that opened the first core.
///
/// A child of fork(2) has one thread only. The threads that run the library's work are missing
/// there, and a lock that one of them held stays locked for ever, so each call would risk a hang.
enum OwningProcess {
  /// 0 until a core is opened.
  private static let owner = Atomic<pid_t>(0)

  /// Makes this process the owner, unless another is.
  static func claim() throws {
    _ = owner.compareExchange(expected: 0, desired: getpid(), ordering: .acquiringAndReleasing)
    try check()
  }

  static func check() throws {
    let owner = owner.load(ordering: .acquiring)
    guard owner == 0 || owner == getpid() else { throw Misuse.forked }
  }
}
