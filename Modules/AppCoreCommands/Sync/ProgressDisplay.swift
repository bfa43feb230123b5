import AppCore
import ArgumentParser
import Foundation
import Models
import Presentation
import Sync
import Synchronization
import SystemSupport

/// The display of the progress of syncs on standard error.
final class SyncDisplay: Sendable {
  private let style: ProgressStyle
  private let terminal: Terminal
  private let time: TimeSource
  private let line: SharedLine<any SyncLine>
  private let ticker: ProgressTicker
  private let namesAccounts: Bool

  convenience init(
    _ style: ProgressStyle, _ context: CommandContext, _ line: any SyncLine, namesAccounts: Bool
  ) {
    self.init(
      style, context.terminal, time: context.environment.time, line, namesAccounts: namesAccounts)
  }

  init(
    _ style: ProgressStyle, _ terminal: Terminal, time: TimeSource, _ line: any SyncLine,
    namesAccounts: Bool
  ) {
    let line = SharedLine(line)
    (self.style, self.terminal, self.time, self.line) = (style, terminal, time, line)
    self.namesAccounts = namesAccounts
    ticker = ProgressTicker(style, terminal, time: time) { now, columns in
      line.value.withLock { $0.text(at: now, columns: columns) }
    }
  }

  /// Returns how far the syncs had come when one of a resource was interrupted.
  func interruption(of resource: Resource?) -> String {
    line.value.withLock { $0.interruption(of: resource) }
  }

  /// Shows events until there are no more.
  ///
  /// - Parameter print: prints the result of an account.
  func follow(
    _ events: some AsyncSequence<AccountSyncEvent, Never> & Sendable,
    _ print: @Sendable (AccountSyncResult) async -> Void
  ) async {
    await ticker.running {
      for await event in events {
        take(event)
        if case .finished(let result) = event { await ticker.whileErased { await print(result) } }
      }
    }
  }

  func take(_ event: AccountSyncEvent) {
    let now = time.uptime()
    line.value.withLock { $0.take(event, at: now) }
    guard case .progress(let account, let resource, let progress) = event else { return }
    ProcessMemory.release(after: progress)
    if style == .json {
      let document = ProgressDocument(progress, account: account, resource: resource)
      return terminal.post(json: JSONText.encode(document))
    }
    guard case .waitingForProcess(let wait) = progress, wait.limit > .zero, style != .none else {
      return
    }
    ticker.erase()
    terminal.note((namesAccounts ? "\(account): " : "") + wait.text(at: time.wall()))
  }
}

extension LockWait {
  fileprivate func text(at now: Date) -> String {
    var facts = processID.map { ["pid \($0)"] } ?? []
    if let since {
      let age = max(0, now.timeIntervalSince(since.date))
      facts.append("running \(HumanText.short(.seconds(age)))")
    }
    return "Waiting for another appcore"
      + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
      + " to finish, up to \(HumanText.short(limit)); Ctrl-C to give up"
  }
}

/// The content of a line, which the ticker reads while events change it.
private final class SharedLine<Content: Sendable>: Sendable {
  let value: Mutex<Content>

  init(_ content: Content) { value = Mutex(content) }
}

extension CommandContext {
  /// Runs `work`, and shows on standard error what it waits for, as a sync does.
  ///
  /// - Parameters:
  ///   - text: what is waited for, such as `Asking Xero…`.
  ///   - work: takes the line, which has to be erased before a message is written.
  func waiting<Value>(
    _ text: String, _ work: (ProgressTicker) async throws -> Value
  ) async rethrows -> Value {
    try await waiting({ text }, work)
  }

  private func waiting<Value>(
    _ text: @escaping @Sendable () -> String, _ work: (ProgressTicker) async throws -> Value
  ) async rethrows -> Value {
    let ticker = ProgressTicker(
      ProgressStyle(.auto, self), terminal, time: environment.time
    ) { _, columns in
      ProgressLine.fitting([text()], columns)
    }
    return try await ticker.running { try await work(ticker) }
  }

  /// Runs `work`, which may show another text whenever it waits for something else.
  ///
  /// - Parameters:
  ///   - text: what is waited for at first.
  ///   - work: takes a function that shows a text.
  func waiting<Value>(
    first text: String, _ work: (_ show: @escaping @Sendable (String) -> Void) async throws -> Value
  ) async rethrows -> Value {
    let shown = SharedLine(text)
    let text: @Sendable () -> String = { shown.value.withLock { $0 } }
    return try await waiting(text) { _ in
      try await work { text in shown.value.withLock { $0 = text } }
    }
  }
}

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
    let text = text(time.uptime(), StandardStream.error.columns ?? 80)
    // Posted under the lock, so that nothing is drawn after the line was erased.
    state.withLock { state in
      guard !state.isPaused, text != state.shown else { return }
      state.shown = text
      terminal.progress(text)
    }
  }
}

enum ProgressChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, none, json
}

enum ProgressStyle {
  case none
  /// One line on a terminal, drawn again and again.
  case line
  /// A line every 30 seconds, for a pipe, a file or a terminal that knows no escape sequences.
  case log
  /// One JSON object for each event.
  case json

  init(_ choice: ProgressChoice, _ context: CommandContext) {
    let terminal = context.terminal
    self =
      switch choice {
      case .none: .none
      case .json: .json
      case .auto:
        if terminal.isQuiet || terminal.isJSON || terminal.showsSteps {
          .none
        } else if terminal.isUserAtStandardError, context.environment.variables["TERM"] != "dumb" {
          .line
        } else {
          .log
        }
      }
  }
}
