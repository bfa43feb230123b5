import Synchronization

/// Standard output, in pieces that are worth a system call.
final class BufferedOutput: Sendable {
  private struct State {
    var text = ""
    var count = 0
  }

  private static let size = 1 << 16
  private let state = Mutex(State())
  private let console: Console
  private let shown: @Sendable (String) -> String

  /// - Parameter shown: what a terminal is given of a piece; a pipe or a file gets all of it.
  init(_ console: Console, shown: @escaping @Sendable (String) -> String) {
    self.console = console
    let isTerminal = console.output.isTerminal
    self.shown = { text in isTerminal ? shown(text) : text }
  }

  /// How often this was asked, this time included.
  func count() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Takes a piece; it may wait for the reader, so it is no call for a task.
  ///
  /// - Throws: ``OutputFailed``, `CancellationError`; ``ReaderLeft``, after which nothing more is
  ///   wanted.
  func write(_ text: String) throws {
    let isFull = state.withLock { state in
      state.text += shown(text)
      return state.text.utf8.count >= Self.size
    }
    if isFull { try flush() }
  }

  /// Writes what is left.
  ///
  /// - Throws: as ``write(_:)``.
  func finish() async throws {
    try await console.thread.run { [self] in Result { try flush() } }.get()
  }

  private func flush() throws {
    let text = state.withLock { state in
      defer { state.text = "" }
      return state.text
    }
    let outcome = console.output.write(text)
    if outcome == .readerLeft { throw ReaderLeft() }
    try outcome.check()
  }
}

/// Nobody reads standard output any more, as after `| head`.
struct ReaderLeft: Error {}
