import Documents
import Foundation
import Models
import Sync
import Synchronization
import SystemSupport

/// The display of a sync's progress on standard error.
final class ProgressDisplay: Sendable {
  private let style: ProgressStyle
  private let terminal: Terminal
  private let time: TimeSource
  private let account: String
  private let resource: Resource
  private let line: SharedLine<ProgressLine>
  private let ticker: ProgressTicker

  init(
    _ style: ProgressStyle, _ terminal: Terminal, time: TimeSource, account: String,
    resource: Resource, provider: String
  ) {
    self.style = style
    self.terminal = terminal
    self.time = time
    self.account = account
    self.resource = resource
    let line = SharedLine(ProgressLine(resource: resource, provider: provider))
    self.line = line
    ticker = ProgressTicker(style, terminal, time: time) { now, columns in
      line.value.withLock { $0.text(at: now, columns: columns) }
    }
  }

  /// The number of records that the run has read so far.
  var records: Int { line.value.withLock { $0.records } }

  /// Shows events until there are no more, or the calling task is cancelled.
  func follow(_ progress: some AsyncSequence<SyncProgress, Never> & Sendable) async {
    await ticker.running {
      for await event in progress {
        // The pages that were read are as much as the search index needs now.
        if case .indexing = event { ProcessMemory.returnFree() }
        take(event)
      }
    }
  }

  /// Shows one event.
  func take(_ event: SyncProgress) {
    let now = time.uptime()
    line.value.withLock { $0.take(event, at: now) }
    if style == .json {
      return ProgressDocument(event, account: account, resource: resource).post(to: terminal)
    }
    guard case .waitingForProcess(let wait) = event, wait.limit > .zero, style != .none else {
      return
    }
    ticker.erase()
    terminal.note(wait.text(at: time.wall()))
  }
}

extension LockWait {
  /// The wait in words.
  func text(at now: Date) -> String {
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

extension ProgressDocument {
  /// Writes the event on standard error.
  func post(to terminal: Terminal) {
    let json = JSONText.encode(self)
    let console = terminal.console
    console.postFormatted(console.error.isTerminal ? TerminalText.json(json) : json)
  }
}
