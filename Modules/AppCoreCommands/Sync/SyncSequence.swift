import AppCore
import Authentication
import Documents
import ErrorCodes
import Models
import Presentation
import Storage
import Sync
import Synchronization
import SystemSupport

/// Syncs of an account or of several, whose results are printed.
struct SyncSequence: Sendable {
  private let context: CommandContext
  private let options: SyncOptions
  private let style: ProgressStyle
  private let isForAll: Bool
  /// True for one account, of which each report is printed whole.
  ///
  /// Several have a line each as they end, and one for all at the end.
  private var isOne: Bool { !isForAll && !context.showsAccounts }

  /// - Parameter isForAll: true to sync every account instead of those that are named.
  init(_ context: CommandContext, _ arguments: SyncArguments, isForAll: Bool = false) {
    self.context = context
    self.isForAll = isForAll
    options = arguments.options
    style = ProgressStyle(arguments.progress, context)
  }

  /// Syncs a resource, or all that the provider of each account lists; if one fails, the others
  /// still run.
  func run(_ resource: Resource?) async throws {
    let (core, begin) = (context.core, context.environment.time.uptime())
    let names = isForAll ? await core.syncedAccounts() : context.accounts
    try await check(names, resource)
    let before = core.authenticator.tokenRequests
    let running = core.sync(resource.map { [$0] }, accounts: names, options: options)
    let display = SyncDisplay(style, context, line(names), namesAccounts: !isOne)
    let printing = isOne ? nil : await LinePrinting(names, in: context)
    let shown = Task { await display.follow(running.events) { await printing?.print($0) } }
    let results = await running.results
    await shown.value
    if let error = printing?.error { throw error }
    if !options.isDryRun, let aside = try? await core.databaseForReading()?.damagedFile {
      context.terminal.post(
        "appcore: \(CommandContext.renamed(aside)); a sync of each list fetches its content again")
    }
    let isInterrupted = results.contains(where: \.isInterrupted)
    let wantsFiles =
      resource == nil && core.configuration.documents.sync && !options.isDryRun && !isInterrupted
    // A document has the files too; a text comes when the lists have ended.
    var files: (reports: [DocumentReport], failures: [Failure])?
    var areFilesInterrupted = false
    if wantsFiles, context.terminal.isJSON {
      do { files = try await fetchDocuments(of: names) } catch is CancellationError {
        // The lists have ended, and their reports are printed.
        areFilesInterrupted = true
      }
    }
    if isOne {
      for result in results {
        try await report(result, isOfOne: resource != nil, files?.reports)
      }
    } else {
      let duration = context.environment.time.uptime() - begin
      let requests = core.authenticator.tokenRequests - before
      try await report(results, files?.reports, requests, duration)
    }
    if !context.terminal.isJSON {
      for report in results.flatMap(\.reports) {
        report.noteUnreadable(in: context.terminal, of: isOne ? "" : report.account + ": ")
      }
    }
    var failures = results.flatMap { self.failures(of: $0, isOfOne: resource != nil) }
    if wantsFiles, !context.terminal.isJSON { files = try await fetchDocuments(of: names) }
    failures += files?.failures ?? []
    if areFilesInterrupted {
      failures.append(
        Failure(
          .interrupted, "interrupted while files were fetched",
          "What was fetched is stored. Run the same command to continue."))
    }
    if isInterrupted {
      let interrupted = results.first?.outcomes.last?.resource
      var failure = Failure(
        .interrupted, Sentence(display.interruption(of: interrupted)),
        Hint(
          options.isDryRun
            ? "A dry run stores nothing."
            : (isOne ? "" : "What was read is stored. ") + "Run the same command to continue."))
      if isOne, resource == nil { failure.resource = interrupted?.rawValue }
      failures.append(failure)
    }
    // An incomplete run never exits with 0.
    if let failures = Failures(failures) { throw failures }
  }

  /// Checks what the sync itself would report as the failure of one account or list among others.
  private func check(_ names: [String], _ resource: Resource?) async throws {
    let core = context.core
    if !isOne {
      for name in names where core.configuration.accounts[name] == nil {
        throw AuthenticationError.unknownAccount(name: name)
      }
    } else if let resource, let name = names.first,
      !(try core.resources(account: name).contains(resource))
    {
      // It throws, as the provider does not list the resource.
      _ = try await core.sync(resource, account: name)
    }
  }

  private func line(_ names: [String]) -> any SyncLine {
    guard isOne else { return AccountProgressLine(total: names.count) }
    let provider = context.core.configuration.accounts[context.account]?.provider
    return ProgressLine(
      resource: .invoices,
      provider: context.core.configuration.title(ofProvider: provider ?? "the provider"))
  }

  /// Fetches the files of the accounts' invoices, after all lists.
  private func fetchDocuments(
    of names: [String]
  ) async throws -> (reports: [DocumentReport], failures: [Failure]) {
    let (core, terminal) = (context.core, context.terminal)
    var reports: [DocumentReport] = []
    var failures: [Failure] = []
    for name in names {
      do {
        guard try await core.documentSource(account: name) != nil else { continue }
        var wanted = DocumentSyncOptions()
        wanted.maximumWait = options.maximumWait
        wanted.maximumDuration = options.maximumDuration
        let report = try await context.fetchDocuments(name, wanted)
        reports.append(report)
        failures += report.failures(in: context)
        guard !terminal.isJSON, !terminal.isQuiet else { continue }
        try await terminal.print((isOne ? "" : name + ": ") + report.text)
      } catch let error where !(error is CancellationError) {
        var failure = Failure(error, in: core.configuration, account: name)
        if !isOne { failure.account = name }
        failures.append(failure)
      }
    }
    return (reports, failures)
  }

  private var isSilent: Bool { context.terminal.isQuiet && !context.terminal.isJSON }

  /// Prints the reports of the only account.
  ///
  /// - Parameter isOfOne: true if one resource was synced, whose report is the document.
  private func report(
    _ result: AccountSyncResult, isOfOne: Bool, _ files: [DocumentReport]?
  ) async throws {
    // What failed before the first sync has no report.
    guard !isSilent, result.outcomes.allSatisfy({ $0.resource != nil }) else { return }
    let terminal = context.terminal
    guard terminal.isJSON else {
      guard !result.reports.isEmpty else { return }
      let texts = try await result.texts(in: context.core)
      return try await terminal.print(
        texts.map { $0.text(calling: terminal.program) }.joined(separator: "\n"))
    }
    let documents = result.outcomes.compactMap { outcome in
      (try? outcome.result.get()).map {
        SyncReportDocument($0, tokenRequests: outcome.tokenRequests)
      }
    }
    if isOfOne {
      for document in documents { try await terminal.printJSON(document) }
    } else if let document = SyncReportsDocument(
      documents, isInterrupted: result.isInterrupted, files: files)
    {
      try await terminal.printJSON(document)
    }
  }

  /// Prints the report of several accounts.
  ///
  /// After an interruption it has what ended before; the text has said that in a line for each
  /// account.
  private func report(
    _ results: [AccountSyncResult], _ files: [DocumentReport]?, _ tokenRequests: Int,
    _ duration: Duration
  ) async throws {
    let terminal = context.terminal
    let isInterrupted = results.contains(where: \.isInterrupted)
    if terminal.isJSON, !isInterrupted || results.contains(where: { !$0.reports.isEmpty }) {
      try await terminal.printJSON(
        AccountSyncsDocument(
          results, in: context.core.configuration, await context.core.organisationNames(),
          files: files, tokenRequests: tokenRequests, duration: duration))
    } else if !isSilent, !terminal.isJSON, !isInterrupted {
      try await terminal.print(SyncText.total(of: results, duration))
    }
  }

  private func failures(of result: AccountSyncResult, isOfOne: Bool) -> [Failure] {
    let failures = result.failures(in: context.core.configuration)
    return failures.map { failure in
      var failure = failure
      if !isOne {
        failure.account = result.account
      }
      // Who names a list wants to know.
      if isOfOne { failure.isRepeated = false }
      if isOne, isOfOne, result.reports.isEmpty {
        // The error of the only sync is that of the command.
        failure.resource = nil
      }
      return failure
    }
  }
}

/// The lines about accounts, each printed when the account's syncs have ended.
private final class LinePrinting: Sendable {
  private let context: CommandContext
  private let organisations: OrganisationNames
  private let width: Int
  private let failed = Mutex<(any Error)?>(nil)

  init(_ names: [String], in context: CommandContext) async {
    self.context = context
    let organisations = await context.core.organisationNames()
    self.organisations = organisations
    width = names.map { organisations.title(of: $0).count }.max() ?? 0
  }

  /// The error that standard output met, which stops no sync.
  var error: (any Error)? { failed.withLock { $0 } }

  func print(_ result: AccountSyncResult) async {
    let terminal = context.terminal
    guard !terminal.isQuiet, !terminal.isJSON, error == nil else { return }
    // An interrupted account has a line for the lists that ended before.
    guard !result.isInterrupted || !result.reports.isEmpty else { return }
    // A log or a mail about forty accounts is read for what changed or failed.
    guard terminal.output.isTerminal || result.isNews else { return }
    do {
      let texts = try await result.texts(in: context.core)
      try await terminal.print(
        SyncText.line(
          about: result, texts, title: organisations.title(of: result.account), width: width,
          in: terminal.showsFailuresBelow ? nil : context.core.configuration))
    } catch {
      failed.withLock { $0 = error }
    }
  }
}

extension AccountSyncResult {
  /// False if every list was read to its end and nothing had changed.
  fileprivate var isNews: Bool {
    ending != .complete
      || reports.contains {
        $0.result != .complete || $0.counts.inserted + $0.counts.updated + $0.counts.deleted > 0
          || $0.newFailureCount > 0
          || $0.rereading != nil || $0.verification != nil
      }
  }

  /// Returns the texts of the reports, with the number of records that are stored now.
  ///
  /// - Throws: `StorageError`.
  fileprivate func texts(in core: ApplicationCore) async throws -> [SyncText] {
    // A task of its own: a cancellation that comes after the end must not hide the report.
    try await Task {
      var texts: [SyncText] = []
      for report in reports {
        let database = try await core.database()
        var text = SyncText(
          report: report,
          stored: try await database.listedCount(of: report.resource, account: report.account))
        // Of records that have not changed, an earlier run said it.
        if report.resource.kind != .contacts, report.counts.inserted + report.counts.updated > 0 {
          text.unknownStatuses = try await database.unknownStatuses(
            of: report.resource, account: report.account)
        }
        texts.append(text)
      }
      return texts
    }.value
  }
}

extension SyncReport {
  /// Names the first records that cannot be read on standard error, if any is news.
  ///
  /// - Parameter place: the beginning of each line, such as the account.
  fileprivate func noteUnreadable(in terminal: Terminal, of place: String) {
    // Those that an earlier run reported have a line of the report.
    guard newFailureCount > 0 else { return }
    let shown = failures.prefix(10)
    for failure in shown {
      terminal.note(
        "appcore: \(place)\(resource) \(printable(failure.id ?? "without a readable id")): "
          + printable("\(failure.path): \(failure.reason)"))
    }
    if failureCount > shown.count {
      terminal.note("appcore: \(place)and \(failureCount - shown.count) more that cannot be read")
    }
  }
}
