import Synchronization

/// Standard output, in pieces that are worth a system call.
final class BufferedOutput: Sendable {
  private struct State {
    var text = ""
    var count = 0
  }

  private static let size = 1 << 16
  private let state = Mutex(State())

  /// How often this was asked, this time included.
  func count() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// - Throws: ``OutputFailed``.
  func write(_ text: String) throws {
    let isFull = state.withLock { state in
      state.text += text
      return state.text.utf8.count >= Self.size
    }
    if isFull { try flush() }
  }

  /// - Throws: ``OutputFailed``.
  func flush() throws {
    let text = state.withLock { state in
      defer { state.text = "" }
      return state.text
    }
    guard Terminal.writeRaw(text, to: .standardOutput) else { throw OutputFailed() }
  }
}
