import AppCore
import ArgumentParser
import Models
import Sync

struct SyncCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch changes from the provider into the database.",
    subcommands: [
      SyncListCommand<InvoiceList>.self, SyncListCommand<CreditNoteList>.self,
      SyncListCommand<ExternalInvoiceList>.self, SyncListCommand<BillList>.self,
      SyncListCommand<PaymentList>.self, SyncListCommand<PrepaymentList>.self,
      SyncListCommand<OverpaymentList>.self, SyncListCommand<ContactList>.self,
      SyncAllCommand.self,
    ])
  static let examples = ["sync all", "sync invoices --dry-run"]
}

/// A list with a command that syncs it alone.
private protocol SyncedList {
  static var resource: Resource { get }
  static var abstract: String { get }
  static var examples: [String] { get }
}

private enum InvoiceList: SyncedList {
  static let resource = Resource.invoices
  static let abstract = "Sync the invoices of an account."
  static let examples = [
    "sync invoices",
    "sync invoices --since 2w --max-duration 10m",
    "sync invoices --full --dry-run",
    "sync invoices --progress=json",
  ]
}

private enum CreditNoteList: SyncedList {
  static let resource = Resource.creditNotes
  static let abstract =
    "Sync the credit notes of an account whose provider lists them by themselves."
  static let examples = ["sync credit-notes"]
}

private enum ExternalInvoiceList: SyncedList {
  static let resource = Resource.externalInvoices
  static let abstract = "Sync the invoices that another program has made (Moneybird)."
  static let examples = ["sync external-invoices"]
}

private enum BillList: SyncedList {
  static let resource = Resource.bills
  static let abstract = "Sync the bills of an account whose provider lists them by themselves."
  static let examples = ["sync bills"]
}

private enum PaymentList: SyncedList {
  static let resource = Resource.payments
  static let abstract = "Sync the payments of an account."
  static let examples = ["sync payments", "sync payments --since 2w"]
}

private enum PrepaymentList: SyncedList {
  static let resource = Resource.prepayments
  static let abstract = "Sync the money on account that came before its invoice (Xero)."
  static let examples = ["sync prepayments"]
}

private enum OverpaymentList: SyncedList {
  static let resource = Resource.overpayments
  static let abstract = "Sync the money on account that came above what was due (Xero)."
  static let examples = ["sync overpayments"]
}

private enum ContactList: SyncedList {
  static let resource = Resource.contacts
  static let abstract = "Sync the contacts of an account."
  static let examples = ["sync contacts", "sync contacts --full"]
}

private struct SyncListCommand<List: SyncedList>: CoreCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: List.resource.rawValue, abstract: List.abstract)
  }
  static var examples: [String] { List.examples }

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    try await arguments.run(List.resource, global, accountsOption, in: environment)
  }
}

private struct SyncAllCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Sync every list of the provider.")
  static let examples = [
    "sync all",
    "sync all --all-accounts",
    "sync all --all-accounts --quiet --no-input  # from cron or systemd",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    try await arguments.run(nil, global, accountsOption, in: environment)
  }
}

/// The options of every sync.
struct SyncArguments: ParsableArguments {
  @Flag(help: "Read everything again; records no longer listed count as deleted.")
  var full = false

  @Flag(help: "Compare everything with the server after the sync, and correct differences.")
  var verify = false

  @Flag(help: "Show what would change without storing it.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Read the changes since this date, even those already read; 3m: months.", valueName: "date"),
    transform: FilterValue.instant)
  var since: Timestamp?

  @Option(help: ArgumentHelp("Stop after N records, at the end of a page.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp("Stop after this long.", valueName: "time"),
    transform: Self.duration)
  var maxDuration: Duration?

  @Option(
    help: ArgumentHelp(
      "Wait at most this long for a rate limit; 60s by default.", valueName: "time"),
    transform: Self.duration)
  var maxWait: Duration?

  @Flag(help: "Exit with 75 immediately if another process syncs the same list.")
  var noWait = false

  @Option(help: "Show progress on standard error; json prints an object for each event.")
  var progress = ProgressChoice.auto

  @Flag(help: "Allow this run to delete more than sync.maximumDeletedPercent.")
  var allowMassDeletion = false

  @Flag(
    help:
      "Confirm that the sign-in belongs to the organisation already stored."
  )
  var sameOrganisation = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    if since != nil, full || verify {
      throw ValidationError("--since cannot be combined with --full or --verify.")
    }
  }

  var options: SyncOptions {
    var options = SyncOptions()
    options.isFull = full
    options.verifies = verify
    options.isDryRun = dryRun
    options.since = since
    options.isSameOrganisation = sameOrganisation
    options.limit = limit
    options.maximumDuration = maxDuration
    if noWait { options.maximumLockWait = .zero }
    if let maxWait { options.maximumWait = maxWait }
    if allowMassDeletion { options.maximumDeletedPercent = 100 }
    return options
  }

  /// Syncs a list of each account that the user names; `nil` takes all that the provider has.
  fileprivate func run(
    _ resource: Resource?, _ global: GlobalOptions, _ accounts: AccountsOption,
    in environment: CommandEnvironment
  ) async throws {
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      try await SyncSequence(context, self, isForAll: context.isForAll).run(resource)
    }
  }

  static func duration(_ text: String) throws -> Duration {
    guard let duration = Duration(configurationText: text) else {
      throw ValidationError(
        "'\(text)' is not a duration from 1ms to 24h; use one such as 30s, 5m or 2h")
    }
    return duration
  }
}
