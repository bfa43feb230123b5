import Foundation
import Models
import Sync
import Synchronization
import SystemSupport

/// The display of a sync's progress on standard error.
final class ProgressDisplay: Sendable {
  private struct State {
    var line: ProgressLine
    var shown = ""
  }

  /// The time without a word: a faster sync needs none.
  static let silence = Duration.milliseconds(200)
  /// The time between two lines in a pipe.
  static let interval = Duration.seconds(30)
  private static let frame = Duration.milliseconds(100)

  private let style: ProgressStyle
  private let terminal: Terminal
  private let time: TimeSource
  private let account: String
  private let resource: Resource
  private let state: Mutex<State>

  init(
    _ style: ProgressStyle, _ terminal: Terminal, time: TimeSource, account: String,
    resource: Resource, provider: String
  ) {
    self.style = style
    self.terminal = terminal
    self.time = time
    self.account = account
    self.resource = resource
    state = Mutex(State(line: ProgressLine(resource: resource, provider: provider)))
  }

  /// The number of records that the run has read so far.
  var records: Int { state.withLock { $0.line.records } }

  /// Shows events until there are no more, or the calling task is cancelled.
  func follow(_ progress: some AsyncSequence<SyncProgress, Never> & Sendable) async {
    let ticker = Task { try? await tick() }
    for await event in progress { take(event) }
    ticker.cancel()
    await ticker.value
    erase()
  }

  /// Shows one event.
  func take(_ event: SyncProgress) {
    let now = time.uptime()
    state.withLock { $0.line.take(event, at: now) }
    if style == .json { return post(ProgressDocument(event, account: account, resource: resource)) }
    guard case .waitingForProcess(let wait) = event, wait.limit > .zero, style != .none else {
      return
    }
    erase()
    terminal.note(text(of: wait))
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
        let now = time.uptime()
        terminal.note("appcore: " + printable(state.withLock { $0.line.text(at: now) }))
      }
    }
  }

  private func draw() {
    let now = time.uptime()
    let columns = TerminalWidth.ofStandardError ?? 80
    // Posted under the lock, so that nothing is drawn after the line was erased.
    state.withLock { state in
      let text = state.line.text(at: now, columns: columns)
      guard text != state.shown else { return }
      state.shown = text
      terminal.progress(text)
    }
  }

  private func erase() {
    state.withLock { state in
      guard !state.shown.isEmpty else { return }
      state.shown = ""
      terminal.endProgress()
    }
  }

  private func text(of wait: LockWait) -> String {
    var facts = wait.processID.map { ["pid \($0)"] } ?? []
    if let since = wait.since {
      let age = max(0, time.wall().timeIntervalSince(since.date))
      facts.append("running \(HumanText.short(.seconds(age)))")
    }
    return "Waiting for another appcore"
      + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
      + " to finish, up to \(HumanText.short(wait.limit)); Ctrl-C to give up"
  }

  private func post(_ document: ProgressDocument) {
    let json = JSONText.encode(document)
    let console = terminal.console
    console.postFormatted(console.error.isTerminal ? TerminalText.json(json) : json)
  }
}
