import AppCore
import Authentication
import Documents
import ErrorCodes
import Models
import Storage
import Sync
import SystemSupport

/// A sequence of syncs whose results are printed.
struct SyncSequence: Sendable {
  private let context: CommandContext
  private let options: SyncOptions
  private let style: ProgressStyle

  init(_ context: CommandContext, _ arguments: SyncArguments) {
    self.context = context
    options = arguments.options
    style = ProgressStyle(arguments.progress, context)
  }

  /// Syncs one resource.
  func run(_ resource: Resource) async throws {
    let document = try await sync(resource)
    if !isSilent { try await context.terminal.print(document, text: text([document])) }
    try check([document], [document.failure(in: context.core.configuration)].compactMap(\.self))
  }

  /// Syncs one resource after the other; if one fails, the others still run.
  func runAll() async throws {
    let (core, account) = (context.core, context.account)
    let outcomes = try await core.syncResources(account: account) { try await sync($0) }
    let document = SyncReportsDocument(outcomes)
    if !isSilent, let document {
      try await context.terminal.print(document, text: text(document.reports))
    }
    try check(
      document?.reports ?? [], outcomes.failures(in: core.configuration, account: account))
  }

  private func text(_ reports: [SyncReportDocument]) -> String {
    let program = context.terminal.console.program
    return reports.map { $0.text(calling: program) }.joined(separator: "\n")
  }

  private func sync(_ resource: Resource) async throws -> SyncReportDocument {
    let sync = try await context.core.sync(resource, account: context.account)
    let before = context.core.authenticator.tokenRequests
    let provider = context.core.configuration.accounts[context.account]?.provider ?? "the provider"
    let display = ProgressDisplay(
      style, context.terminal, time: context.environment.time, account: context.account,
      resource: resource, provider: context.core.configuration.title(ofProvider: provider))
    let running = sync.start(options)
    let shown = Task { await display.follow(running.progress) }
    let result: Result<SyncReport, any Error>
    do { result = .success(try await running.report) } catch { result = .failure(error) }
    await shown.value
    let report: SyncReport
    do {
      report = try result.get()
    } catch is CancellationError {
      throw Failures(interruption(of: resource, after: display.records))
    }
    return try await SyncReportDocument(
      report, tokenRequests: context.core.authenticator.tokenRequests - before, in: context.core)
  }

  /// The failure of a run that the user interrupted.
  private func interruption(of resource: Resource, after records: Int) -> Failure {
    let count = HumanText.count(records, resource)
    return Failure(
      .interrupted,
      records > 0 ? "interrupted after \(count)" : "interrupted before anything was stored",
      options.isDryRun ? "A dry run stores nothing." : "Run the same command to continue.")
  }

  /// True if only errors are printed.
  private var isSilent: Bool { context.terminal.isQuiet && !context.terminal.isJSON }

  /// Reports unreadable records and throws the failures, so that an incomplete run never exits with
  /// 0.
  private func check(_ documents: [SyncReportDocument], _ failures: [Failure]) throws {
    if !context.terminal.isJSON {
      for document in documents { document.noteUnreadable(in: context.terminal) }
    }
    if let failures = Failures(failures) { throw failures }
  }
}

extension SyncReportDocument {
  /// Names the first records that cannot be read on standard error, if any is news.
  ///
  /// - Parameter place: the beginning of each line, such as the account.
  func noteUnreadable(in terminal: Terminal, of place: String = "") {
    // Those that an earlier run reported have a line of the report.
    guard newlyUnreadable > 0 else { return }
    let shown = failures.prefix(10)
    for failure in shown {
      terminal.note(
        "appcore: \(place)\(resource) \(printable(failure.id ?? "without a readable id")): "
          + printable("\(failure.path): \(failure.reason)")
      )
    }
    if unreadable > shown.count {
      terminal.note("appcore: \(place)and \(unreadable - shown.count) more that cannot be read")
    }
  }
}
