import AppCore
import ArgumentParser
import Models
import PlainTextAccounting
import Presentation
import Reports
import Storage
import Synchronization

struct InvoicesExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all invoices, including void and deleted ones, or those that match.",
    discussion: """
      For hledger, ledger and beancount, it writes a file of transactions that your own journal \
      includes: invoices, bills and credits with their payments, without drafts, void and deleted \
      ones.
      """)
  static let examples = [
    "invoices export --month 2024-03 -o march.csv",
    "invoices export --year 2024 --issued --lines --excel -o 2024-lines.csv",
    "invoices export --format jsonl | jq -r .number",
    "invoices export --accounts accounts.yaml -o invoices.journal",
    "invoices export --changes-since invoices.state >> invoices.jsonl",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption

  @OptionGroup var filter: InvoiceFilterOptions
  @OptionGroup var output: OutputOption

  @Flag(
    help: """
      Write csv with a row for each line of an invoice, or transactions with a posting for each \
      line, with its text.
      """)
  var lines = false

  @Flag(help: "Write csv with a row for each tax of an invoice: name, rate, taxable amount, tax.")
  var taxRates = false

  @Option(
    help: """
      Write csv (a row each), json (one document), jsonl (a document per line), or transactions for \
      hledger, ledger or beancount. Default: as the file of --output ends (.csv, .json, .jsonl, \
      .ndjson, .journal, .hledger, .ledger, .beancount, .bean), otherwise csv.
      """)
  var format: InvoiceExportFormat?

  @Option(
    help: ArgumentHelp(
      "Read the accounts of transactions from this YAML file.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var accounts: String?

  @Option(
    help: ArgumentHelp(
      """
      Write, as jsonl, what has changed since the state in this file, and store the new state \
      there; without the file, all invoices.
      """, valueName: "file"),
    completion: .file())
  var changesSince: String?

  @OptionGroup var spreadsheet: SpreadsheetOptions

  func validate() throws {
    if let changesSince { try checkChanges(since: changesSince) }
    if lines, taxRates { throw ValidationError("--lines and --tax-rates exclude each other.") }
  }

  private func checkChanges(since state: String) throws {
    let all = try InvoiceFilterOptions.parse([]).query
    guard filter.query == all, !lines, !taxRates, accounts == nil else {
      throw ValidationError("--changes-since writes whole invoices, without filters.")
    }
    let format = try InvoiceExportFormat.chosen(
      format, isJSON: global.json, output, otherwise: .jsonl)
    guard format == .jsonl else {
      throw ValidationError(
        "--changes-since writes jsonl, not \(format.rawValue); "
          + (global.json ? "leave out --json." : "name the file .jsonl, or add --format jsonl."))
    }
    try spreadsheet.check(format, hasRows: false)
  }

  func run(in environment: CommandEnvironment) async throws {
    if let changesSince {
      return try await ChangedInvoices(since: changesSince, in: environment)
        .export(global, accountsOption, output, in: environment)
    }
    let format = try InvoiceExportFormat.chosen(format, isJSON: global.json, output)
    guard let journal = format.journal else {
      guard accounts == nil else {
        throw ValidationError(
          "--accounts is for hledger, ledger and beancount, not for \(format.rawValue).")
      }
      let rows: CSVTable<StoredInvoice>? = lines ? .lines : taxRates ? .taxRates : nil
      return try await filter.query.export(
        global, accountsOption, ExportFormat(rawValue: format.rawValue) ?? .csv, spreadsheet,
        rows: rows, output, in: environment)
    }
    try spreadsheet.check(format, hasRows: taxRates)
    let statuses = filter.status.joined()
    guard statuses.isEmpty || statuses.contains(where: Journal.holds) else {
      throw ValidationError(
        "Drafts, scheduled, void, deleted and unknown documents are in no journal, and --status "
          + "chooses no others.")
    }
    try await export(journal, in: environment)
  }

  /// Writes the transactions.
  private func export(_ format: Journal.Format, in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      var journal = Journal(format)
      journal.namesAccounts = context.showsAccounts
      journal.accounts = JournalAccounts(namesAccounts: context.showsAccounts)
      if let accounts {
        try await journal.accounts.read(accounts, for: format, in: environment)
        if context.showsAccounts, let role = journal.accounts.roleWithoutAccount {
          context.terminal.note(
            "\(accounts): '\(role.rawValue)' lacks {account}, so it adds up several organisations")
        }
      }
      journal.includesLineTexts = lines
      var query = filter.query
      query.accounts = context.accounts
      // A journal has no others, whatever --all says.
      query.issuedOnly = true
      let (asked, made, database) = (query, journal, try await context.database())
      try await context.requireContents(
        of: .invoices, in: database, for: output.file(in: environment.currentDirectory))
      try await output.write(in: context) { terminal in
        let counts = Mutex<Journal.Counts?>(database == nil ? Journal.Counts() : nil)
        _ = try await RowFormat.text().write(to: terminal) { body in
          guard let database else { return }
          let found = try await made.write(asked, of: database, to: body)
          counts.withLock { $0 = found }
        }
        // A reader that wants no more, as after `| head`, leaves nothing to count.
        guard let found = counts.withLock(\.self) else { return nil }
        if found.documents == 0 { try await asked.noteEmpty(database, in: context) }
        if found.unexplained > 0 {
          context.terminal.note(
            "\(HumanText.count(found.unexplained, "document")) with amounts that the provider does "
              + "not explain; see \(made.name(of: .unexplained))")
        }
        if found.withoutLines > 0 {
          context.terminal.note(
            "\(HumanText.count(found.withoutLines, "document")) without lines; their net amounts "
              + "have the account code 'unspecified'")
        }
        return HumanText.count(found.transactions, "transaction")
      }
      try await context.noteAge(of: .invoices)
    }
  }
}

enum InvoiceExportFormat: String, ExportFormatting {
  case csv, json, jsonl, hledger, ledger, beancount

  init?(suffix: String) {
    switch suffix {
    case "ndjson": self = .jsonl
    case "journal": self = .hledger
    case "bean": self = .beancount
    default: self.init(rawValue: suffix)
    }
  }

  /// The format of transactions; `nil` for another.
  var journal: Journal.Format? { Journal.Format(rawValue: rawValue) }
}
