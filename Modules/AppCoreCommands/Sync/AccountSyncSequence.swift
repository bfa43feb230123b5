import AppCore
import Authentication
import Documents
import ErrorCodes
import Foundation
import Models
import Storage
import Sync
import Synchronization
import SystemSupport

/// Syncs of several accounts whose results are printed: a line for each account as it ends, and a
/// report at the end.
struct AccountSyncSequence: Sendable {
  private let context: CommandContext
  private let options: SyncOptions
  private let style: ProgressStyle
  private let isForAll: Bool

  /// - Parameter isForAll: true to sync every account instead of those that are named.
  init(_ context: CommandContext, _ arguments: SyncArguments, isForAll: Bool) {
    self.context = context
    self.isForAll = isForAll
    options = arguments.options
    style = ProgressStyle(arguments.progress, context)
  }

  /// Syncs resources of each account; `nil` takes all that its provider lists.
  func run(_ resources: [Resource]?) async throws {
    let (core, terminal, begin) = (
      context.core, context.terminal, context.environment.time.uptime()
    )
    let names = isForAll ? await core.syncedAccounts() : context.accounts
    // A mistyped name must not look like one account among others that failed.
    for name in names where core.configuration.accounts[name] == nil {
      throw AuthenticationError.unknownAccount(name: name)
    }
    let before = core.authenticator.tokenRequests
    let running = core.sync(resources, accounts: names, options: options)
    let display = AccountProgressDisplay(style, context, total: names.count)
    let printing = LinePrinting(names, in: context)
    let shown = Task {
      await display.follow(running.events) { result in await printing.print(result) }
    }
    let results = await running.results
    await shown.value
    if let error = printing.error { throw error }
    var accounts: [AccountSyncDocument] = []
    for result in results {
      accounts.append(try await AccountSyncDocument(result, in: core))
    }
    let document = AccountSyncsDocument(
      accounts: accounts, tokenRequests: core.authenticator.tokenRequests - before,
      duration: context.environment.time.uptime() - begin)
    let isInterrupted = results.contains(where: \.isInterrupted)
    if hasReport(document, isInterrupted) {
      try await terminal.print(document, text: document.text)
    }
    if !terminal.isJSON {
      for account in accounts {
        for report in account.reports {
          report.noteUnreadable(in: terminal, of: account.account + ": ")
        }
      }
    }
    let end = isInterrupted ? [interruption(display.finished, of: names.count)] : []
    if let failures = Failures(accounts.flatMap(\.failures) + end) { throw failures }
  }

  /// Returns true if the report is printed.
  ///
  /// After an interruption it has what ended before; the text has said that in a line for each
  /// account.
  private func hasReport(_ document: AccountSyncsDocument, _ isInterrupted: Bool) -> Bool {
    guard context.terminal.isJSON else { return !context.terminal.isQuiet && !isInterrupted }
    return !isInterrupted || document.accounts.contains { !$0.reports.isEmpty }
  }

  private func interruption(_ finished: Int, of total: Int) -> Failure {
    Failure(
      .interrupted, "interrupted after \(finished) of \(HumanText.count(total, "account"))",
      options.isDryRun
        ? "A dry run stores nothing."
        : "What was read is stored. Run the same command to continue.")
  }
}

/// The lines about accounts, each printed when the account's syncs have ended.
private final class LinePrinting: Sendable {
  private let context: CommandContext
  private let width: Int
  private let failed = Mutex<(any Error)?>(nil)

  init(_ names: [String], in context: CommandContext) {
    self.context = context
    width = names.map(\.count).max() ?? 0
  }

  /// The error that standard output met, which stops no sync.
  var error: (any Error)? { failed.withLock { $0 } }

  func print(_ result: AccountSyncResult) async {
    let terminal = context.terminal
    guard !terminal.isQuiet, !terminal.isJSON, error == nil else { return }
    // An interrupted account has a line for the lists that ended before.
    guard !result.isInterrupted || !result.reports.isEmpty else { return }
    do {
      let document = try await AccountSyncDocument(result, in: context.core)
      try await terminal.console.print(document.line(width: width))
    } catch {
      failed.withLock { $0 = error }
    }
  }
}
