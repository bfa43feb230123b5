import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Models
import Presentation
import Storage
import Synchronization

struct DocumentsSyncCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch the PDFs and attachments of invoices, the newest first.")
  static let examples = [
    "documents sync", "documents sync --kind pdf --quarter last",
    "documents sync --all-accounts --max-duration 10m",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: InvoiceFilterOptions
  @OptionGroup var kinds: DocumentKindOption

  @Option(
    help: ArgumentHelp(
      "Fetch stored files again: changed (if their invoice has changed), never, or all.",
      valueName: "choice"),
    completion: ListCompletion.of(DocumentRefresh.allCases.map(\.rawValue)),
    transform: { try DocumentKindOption.word($0, DocumentRefresh.self) })
  var refresh = DocumentRefresh.changed

  @Option(help: ArgumentHelp("Stop after N files.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp("Begin no further file after this long.", valueName: "time"),
    transform: SyncArguments.duration)
  var maxDuration: Duration?

  @Option(
    help: ArgumentHelp(
      "Wait at most this long for a rate limit; 60s by default.", valueName: "time"),
    transform: SyncArguments.duration)
  var maxWait: Duration?

  @Flag(help: "Show how many files would be fetched.")
  var dryRun = false

  @Flag(help: "The same as --max-wait 1ms: exit with 75 instead of waiting for a rate limit.")
  var noWait = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
  }

  private var options: DocumentSyncOptions {
    var options = DocumentSyncOptions()
    options.kinds = kinds.kinds
    options.invoices = filter.query
    (options.refresh, options.limit, options.isDryRun) = (refresh, limit, dryRun)
    options.maximumDuration = maxDuration
    options.maximumWait = noWait ? .milliseconds(1) : maxWait ?? .seconds(60)
    return options
  }

  /// The options that choose the files, for the command that goes on after a limit.
  private var repeatedOptions: [String] {
    // With `all`, it would begin again with the files that this run has fetched.
    kinds.words + filter.words + (refresh == .never ? ["--refresh", refresh.rawValue] : [])
  }

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      var reports: [DocumentReport] = []
      var failures: [Failure] = []
      for account in context.accounts {
        do {
          let report = try await context.fetchDocuments(account, options)
          reports.append(report)
          failures += report.failures(in: context, repeating: repeatedOptions)
        } catch {
          // The provider of one of several accounts may give no files.
          guard context.showsAccounts || context.isForAll, !(error is CancellationError) else {
            throw error
          }
          var failure = Failure(error, in: context.core.configuration, account: account)
          failure.account = account
          if case DocumentError.unsupported = error {
            if !context.terminal.isJSON {
              context.terminal.note("\(account): \(failure.message)")
            }
          } else {
            failures.append(failure)
          }
        }
      }
      if context.terminal.isJSON {
        if !context.showsAccounts, !context.isForAll, let report = reports.first {
          try await context.terminal.printJSON(DocumentReportDocument(report))
        } else {
          try await context.terminal.printJSON(DocumentReportsDocument(reports))
        }
      } else if !context.terminal.isQuiet {
        for report in reports {
          let title = context.showsAccounts ? report.account + ": " : ""
          try await context.terminal.print(title + report.text)
        }
      }
      if let failures = Failures(failures) { throw failures }
    }
  }
}

struct DocumentKindOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take these kinds: pdf, attachment, ubl; separate several by commas. Default: pdf and "
        + "attachment.",
      valueName: "kind"),
    completion: ListCompletion.of(DocumentKind.allCases.map(\.rawValue)),
    transform: { try FilterValue.list($0, "kind", DocumentKind.allCases) })
  var kind: [[DocumentKind]] = []

  /// The kinds that the user names; `nil` if the user names none.
  var kinds: Set<DocumentKind>? { kind.isEmpty ? nil : Set(kind.joined()) }

  /// The options as words.
  var words: [String] {
    kind.isEmpty ? [] : ["--kind", kind.joined().map(\.rawValue).joined(separator: ",")]
  }

  /// Returns the word of an option.
  ///
  /// - Throws: `ValidationError` that names the words.
  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, _: Word.Type
  ) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(text)' is none of \(words)")
    }
    return word
  }
}

extension InvoiceFilterOptions {
  /// The options as words, with days in the place of months and the like.
  fileprivate var words: [String] {
    func list(_ values: [String]) -> String? {
      values.isEmpty ? nil : values.joined(separator: ",")
    }
    let values = [
      ("--status", list(status.joined().map(\.rawValue))),
      ("--type", list(type.joined().map(\.rawValue))),
      ("--currency", list(currency.joined().map(\.code))),
      ("--min", min?.description), ("--max", max?.description), ("--contact", contact),
      ("--from", period.first?.description), ("--to", period.last?.description),
      ("--changed-since", changedSince?.description), ("--search", search),
    ]
    let flags = [
      ("--overdue", overdue), ("--unpaid", unpaid), ("--issued", issued), ("--all", all),
    ]
    return values.flatMap { name, value -> [String] in
      guard let value else { return [] }
      return value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
    } + flags.filter(\.1).map(\.0)
  }
}

extension CommandContext {
  /// Fetches files of an account, with progress on standard error.
  func fetchDocuments(
    _ account: String, _ options: DocumentSyncOptions
  ) async throws -> DocumentReport {
    try await waiting(first: "Looking for files…") { show in
      try await core.fetchDocuments(account: account, options: options) { progress in
        let failed = progress.failed > 0 ? "  \(progress.failed.grouped) failed" : ""
        show(
          "Files  \(progress.stored.grouped)  \(HumanText.size(progress.bytes))\(failed)  "
            + "\(progress.invoices.done.grouped) / "
            + HumanText.count(progress.invoices.of, .invoices))
      }
    }
  }
}

extension DocumentReport {
  /// The report in a sentence.
  var text: String {
    let known = [
      (unchanged, "unchanged"), (gone, "gone"), (unsupported, "not available"), (failed, "failed"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let files = HumanText.count(stored, "file")
    guard !isDryRun else {
      return "Would fetch \(files)" + (known.isEmpty ? "" : "; \(known.joined(separator: ", "))")
    }
    let start = stored == 0 ? "Nothing fetched" : "Fetched \(files) (\(HumanText.size(bytes)))"
    return ([start] + known).joined(separator: ", ")
      + " (\(HumanText.count(requests, "request")), \(duration.inSeconds) s)"
  }

  /// Returns the reasons why files are missing, with the account if there are several.
  ///
  /// - Parameter options: the options of the command that goes on, besides the account.
  func failures(
    in context: CommandContext, repeating options: [String] = []
  ) -> [Failure] {
    failures(in: context.core.configuration, repeating: options).map { failure in
      var failure = failure
      if context.showsAccounts { failure.account = account }
      return failure
    }
  }
}
