import Synchronization

/// Standard output behind a buffer, which saves system calls.
final class BufferedOutput: Sendable {
  private struct State {
    var text = ""
    var count = 0
  }

  private static let size = 1 << 16
  private let state = Mutex(State())
  private let console: Console
  private let shown: @Sendable (String) -> String

  /// - Parameter shown: the filter for text on a terminal; a pipe or a file receives the text
  ///   unchanged.
  init(_ console: Console, shown: @escaping @Sendable (String) -> String) {
    self.console = console
    let isTerminal = console.output.isTerminal
    self.shown = { text in isTerminal ? shown(text) : text }
  }

  /// Returns the number of calls of this method, including this one.
  func count() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// The number of calls of ``count()`` so far.
  var counted: Int { state.withLock { $0.count } }

  /// Appends a text to the buffer, however full it is.
  func add(_ text: String) {
    state.withLock { $0.text += shown(text) }
  }

  /// Appends a text to the buffer, and writes the buffer when it is full.
  ///
  /// Writing blocks the thread until the reader has taken the text, so do not call this from a
  /// task.
  ///
  /// - Throws: ``ReaderLeft`` if nobody reads any more; ``OutputFailed``, `CancellationError`.
  func write(_ text: String) throws {
    let isFull = state.withLock { state in
      state.text += shown(text)
      return state.text.utf8.count >= Self.size
    }
    if isFull { try flush() }
  }

  /// Writes the rest of the buffer.
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

/// The error thrown if nobody reads standard output any more, as after `| head`.
struct ReaderLeft: Error {}
