import Synchronization
import SystemSupport

/// The line of progress on standard error: drawn again and again on a terminal, and written now and
/// then to a pipe.
final class ProgressTicker: Sendable {
  private struct State {
    var shown = ""
    var isPaused = false
  }

  /// The time without a word: faster work needs none.
  static let silence = Duration.milliseconds(200)
  /// The time between two lines in a pipe.
  static let interval = Duration.seconds(30)
  private static let frame = Duration.milliseconds(100)

  private let style: ProgressStyle
  private let terminal: Terminal
  private let time: TimeSource
  private let text: @Sendable (_ now: Duration, _ columns: Int) -> String
  private let state = Mutex(State())

  /// - Parameter text: returns the line at an uptime, in so many columns.
  init(
    _ style: ProgressStyle, _ terminal: Terminal, time: TimeSource,
    text: @escaping @Sendable (_ now: Duration, _ columns: Int) -> String
  ) {
    self.style = style
    self.terminal = terminal
    self.time = time
    self.text = text
  }

  /// Shows the line while `work` runs, and erases it at the end.
  func running<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    let ticker = Task { try? await tick() }
    do {
      let value = try await work()
      await end(ticker)
      return value
    } catch {
      await end(ticker)
      throw error
    }
  }

  private func end(_ ticker: Task<Void?, Never>) async {
    ticker.cancel()
    await ticker.value
    erase()
  }

  /// Erases the line until it is drawn again.
  func erase() {
    state.withLock { erase(&$0) }
  }

  /// Runs `work`, which prints on the terminal, while no line is drawn.
  func whileErased(_ work: () async throws -> Void) async rethrows {
    state.withLock { state in
      erase(&state)
      state.isPaused = true
    }
    defer { state.withLock { $0.isPaused = false } }
    try await work()
  }

  private func erase(_ state: inout State) {
    guard !state.shown.isEmpty else { return }
    state.shown = ""
    terminal.endProgress()
  }

  private func tick() async throws {
    switch style {
    case .none, .json: return
    case .line:
      try await time.sleep(Self.silence)
      while true {
        draw()
        try await time.sleep(Self.frame)
      }
    case .log:
      while true {
        try await time.sleep(Self.interval)
        terminal.note("appcore: " + printable(text(time.uptime(), .max)))
      }
    }
  }

  private func draw() {
    let text = text(time.uptime(), TerminalWidth.ofStandardError ?? 80)
    // Posted under the lock, so that nothing is drawn after the line was erased.
    state.withLock { state in
      guard !state.isPaused, text != state.shown else { return }
      state.shown = text
      terminal.progress(text)
    }
  }
}
