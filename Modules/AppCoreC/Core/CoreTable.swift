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

  /// Adds a core.
  ///
  /// - Returns: its ticket, which no other core gets.
  static func add(_ core: OpenCore) -> OpaquePointer? {
    state.withLock { state in
      state.lastTicket += 1
      state.cores[state.lastTicket] = core
      return OpaquePointer(bitPattern: state.lastTicket)
    }
  }

  /// Returns the core of a ticket.
  ///
  /// - Throws: ``Misuse/badHandle``, ``Misuse/forked``.
  static func core(_ ticket: OpaquePointer?) throws -> OpenCore {
    try OwningProcess.check()
    let core = state.withLock { $0.cores[UInt(bitPattern: ticket)] }
    guard let core else { throw Misuse.badHandle }
    return core
  }

  /// Removes the core of a ticket, and returns it.
  ///
  /// - Throws: ``Misuse/badHandle``, ``Misuse/forked``.
  static func remove(_ ticket: OpaquePointer?) throws -> OpenCore {
    try OwningProcess.check()
    let core = state.withLock { $0.cores.removeValue(forKey: UInt(bitPattern: ticket)) }
    guard let core else { throw Misuse.badHandle }
    return core
  }
}
