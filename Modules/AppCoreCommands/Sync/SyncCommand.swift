import AppCore
import ArgumentParser
import Authentication
import Sync

/// `appcore sync`.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Bring what has changed at the provider into the database.",
    subcommands: [SyncInvoicesCommand.self])
}

/// `appcore sync invoices`.
struct SyncInvoicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoices", abstract: "Sync the invoices of an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Flag(help: "Read every invoice again, not only what has changed.")
  var full = false

  func run() async throws {
    let isFull = full
    try await CommandContext.run(global, account: accountOption.account) { context in
      let sync = try await context.core.invoiceSync(account: context.account)
      let before = context.core.authenticator.tokenRequests
      let report: SyncReport
      do {
        report = try await sync.run(full: isFull) { progress in
          context.terminal.progress("\(progress.invoices) invoices, \(progress.pages) pages")
        }
        context.terminal.endProgress()
      } catch {
        context.terminal.endProgress()
        throw error
      }
      let document = SyncReportDocument(
        report, tokenRequests: context.core.authenticator.tokenRequests - before)
      try context.terminal.print(document, text: document.text)
      try Self.check(report, context.terminal)
    }
  }

  /// A run that did not finish never ends as one that did.
  private static func check(_ report: SyncReport, _ terminal: Terminal) throws {
    guard report.result == .partial else { return }
    for failure in report.failures.prefix(10) {
      terminal.note(
        "appcore: invoice \(failure.id ?? "without a readable id"): \(failure.path): \(failure.reason)"
      )
    }
    if report.failures.count > 10 {
      terminal.note("appcore: and \(report.failures.count - 10) more that cannot be read")
    }
    throw CommandEnded(status: report.failures.isEmpty ? .tryAgainLater : .unreadableData)
  }
}
