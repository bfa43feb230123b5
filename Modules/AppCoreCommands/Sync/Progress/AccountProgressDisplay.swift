import AppCore
import Documents
import Foundation
import Models
import Sync
import Synchronization
import SystemSupport

/// The display of the progress of several accounts on standard error.
final class AccountProgressDisplay: Sendable {
  private let style: ProgressStyle
  private let terminal: Terminal
  private let time: TimeSource
  private let line: SharedLine<AccountProgressLine>
  private let ticker: ProgressTicker

  init(_ style: ProgressStyle, _ context: CommandContext, total: Int) {
    self.style = style
    terminal = context.terminal
    time = context.environment.time
    let line = SharedLine(AccountProgressLine(total: total))
    self.line = line
    ticker = ProgressTicker(style, terminal, time: time) { now, columns in
      line.value.withLock { $0.text(at: now, columns: columns) }
    }
  }

  /// The number of accounts whose syncs have ended.
  var finished: Int { line.value.withLock { $0.finished } }

  /// Shows events until there are no more.
  ///
  /// - Parameter print: prints the result of an account.
  func follow(
    _ events: AccountSyncEvents, _ print: @Sendable (AccountSyncResult) async -> Void
  ) async {
    await ticker.running {
      for await event in events {
        let now = time.uptime()
        line.value.withLock { $0.take(event, at: now) }
        switch event {
        case .finished(let result): await ticker.whileErased { await print(result) }
        case .progress(let account, let resource, let progress):
          show(progress, of: resource, account)
        case .began: break
        }
      }
    }
  }

  private func show(_ progress: SyncProgress, of resource: Resource, _ account: String) {
    if style == .json {
      return ProgressDocument(progress, account: account, resource: resource).post(to: terminal)
    }
    guard case .waitingForProcess(let wait) = progress, wait.limit > .zero, style != .none else {
      return
    }
    ticker.erase()
    terminal.note("\(account): " + wait.text(at: time.wall()))
  }
}
