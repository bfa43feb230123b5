import AppCore
import ArgumentParser
import Authentication
import Models
import Presentation
import Providers

struct OrganisationsCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "organisations",
    abstract: "List the organisations that a login reaches, and add them as accounts.",
    discussion: """
      Without a subcommand, it lists them. An added account shares the login, and has its own file \
      in the folder accounts.d beside the configuration file.
      """,
    subcommands: [
      OrganisationsListCommand.self, OrganisationsAddCommand.self, OrganisationsRenameCommand.self,
      OrganisationsRemoveCommand.self,
    ],
    defaultSubcommand: OrganisationsListCommand.self)
  static let examples = [
    "organisations               # what each login reaches", "organisations add --all",
  ]
}

private struct LoginOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use the login of this account only.", valueName: "account"),
    completion: ConfiguredValues.accounts)
  var login: String?
}

private struct OrganisationsListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the organisations that each login reaches.")
  static let examples = [
    "organisations list", "organisations list --json | jq -r '.organisations[].name'",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var loginOption: LoginOption

  func run(in environment: CommandEnvironment) async throws {
    let login = loginOption.login
    try await CommandContext.run(global, account: login, in: environment) { context in
      let search = try await OrganisationSearch(login, in: context)
      let style = TableStyle(global.color, context.terminal, environment.variables)
      if context.terminal.isJSON {
        try await context.terminal.printJSON(ReachedOrganisationsDocument(search.found))
      } else if !search.found.isEmpty {
        try await context.terminal.printFormatted(Self.table(of: search.found, style))
      } else if search.failures.isEmpty {
        context.terminal.note("The login reaches no organisation.")
      }
      if let failures = Failures(search.failures) { throw failures }
    }
  }

  /// Returns the organisations as a table; the login is shown if there are several.
  private static func table(of found: [ReachedOrganisation], _ style: TableStyle) -> String {
    let showsLogins = Set(found.map(\.login)).count > 1
    let columns =
      [TableColumn(name: "ORGANISATION", shortest: 12)]
      + (showsLogins ? [TableColumn(name: "LOGIN", shortest: 8)] : [])
      + [TableColumn(name: "ACCOUNT", shortest: 8), TableColumn(name: "ID", omission: 0)]
    let rows = found.map { entry in
      [TableCell(entry.organisation.name ?? "-")] + (showsLogins ? [TableCell(entry.login)] : [])
        + [TableCell(entry.account ?? "-"), TableCell(entry.organisation.id)]
    }
    let layout = TableLayout(columns, rows: rows, style: style)
    return ([layout.header] + rows.map(layout.line)).map { $0 + "\n" }.joined()
  }
}

private struct OrganisationsAddCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add organisations as accounts that share the login.",
    discussion: """
      Each account gets a file in the folder accounts.d beside the configuration file; that file \
      stays unchanged. Organisations that already have an account are skipped.
      """)
  static let examples = [
    "organisations add 'Acme Ltd'",
    "organisations add 'Acme Ltd' --as acme --login firm",
    "organisations add --all",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var loginOption: LoginOption

  @Argument(help: ArgumentHelp("Names or ids of organisations.", valueName: "name-or-id"))
  var organisations: [String] = []

  @Flag(help: "Add every organisation that no account has.")
  var all = false

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Use this account name; by default, derive one from the organisation's name.",
      valueName: "account"))
  var accountName: String?

  func validate() throws {
    guard all != !organisations.isEmpty else {
      throw ValidationError("Name organisations, or use --all.")
    }
    guard let accountName else { return }
    guard organisations.count == 1 else {
      throw ValidationError("--as names one account; name one organisation.")
    }
    guard Account.isValid(name: accountName) else {
      throw ValidationError("--as: \(ConfigurationError.nameExpectation).")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    let login = loginOption.login
    try await CommandContext.run(global, account: login, in: environment) { context in
      let search = try await OrganisationSearch(login, in: context)
      // What could be listed is added, whatever became of the other logins.
      if search.found.isEmpty, let failures = Failures(search.failures) { throw failures }
      let wanted = all ? search.found : try organisations.map(search.organisation)
      let outcome = try await context.core.addAccounts(for: wanted, named: accountName)
      try await context.terminal.print(AddedAccountsDocument(outcome), text: outcome.text)
      if all, let failures = Failures(search.failures) { throw failures }
      if !outcome.added.isEmpty {
        context.terminal.note(
          Hint("Fetch their invoices with", ["sync", "all", "--all-accounts"]))
      }
      noteNext(after: search.found, in: context)
    }
  }

  /// Says how to connect another organisation, where a sign-in connects one.
  private func noteNext(after found: [ReachedOrganisation], in context: CommandContext) {
    let configuration = context.core.configuration
    guard let last = found.last, configuration.connectsOneByOne(last.provider) else { return }
    context.terminal.note(
      Hint(
        "\(configuration.title(ofProvider: last.provider)) connects one organisation at each "
          + "sign-in. To connect the next one, sign in again and choose it there",
        configuration.signInCommand(account: last.login)
      ).then("Then", ["organisations", "add", "--all"]))
  }
}

extension AddedAccounts {
  fileprivate var text: String {
    func name(_ reached: ReachedOrganisation) -> String {
      printable(reached.organisation.name ?? reached.organisation.id)
    }
    let lines =
      added.map { entry in
        "Added \(entry.name) for \(name(entry.organisation)) (\(printable(entry.file)))"
      } + existing.map { "\(name($0)) is account '\($0.account ?? "")' already" }
    return lines.isEmpty ? "There is no organisation to add." : lines.joined(separator: "\n")
  }
}

private struct OrganisationsRenameCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename an account, with its login and its records.",
    discussion: """
      If it is interrupted, run it again. The name of an account in your own configuration file is \
      yours to change: the command says where, and then moves login and records.
      """)
  static let examples = ["organisations rename acme-ltd acme"]

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("The account.", valueName: "account"),
    completion: ConfiguredValues.accounts)
  var account: String

  @Argument(help: ArgumentHelp("Its new name.", valueName: "name"))
  var name: String

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, account: account, in: environment) { context in
      let renamed = try await context.core.renameAccount(account, to: name)
      let document = RenamedAccountDocument(renamed)
      try await context.terminal.print(document, text: document.text)
    }
  }
}

private struct RenamedAccountDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let formerAccount: String
  /// True if there was a login, or there were records, which have the new name now.
  let movedLogin: Bool
  let movedRecords: Bool

  init(_ renamed: RenamedAccount) {
    (account, formerAccount) = (renamed.name, renamed.formerName)
    (movedLogin, movedRecords) = (renamed.hasMovedLogin, renamed.hasMovedRecords)
  }

  var text: String {
    let parts = [(movedLogin, "its login"), (movedRecords, "its records")].filter(\.0).map(\.1)
    return "Account '\(printable(formerAccount))' is '\(printable(account))' now"
      + (parts.isEmpty ? "." : ", with \(parts.joined(separator: " and ")).")
  }
}

private struct OrganisationsRemoveCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an account that was added; the login stays.")
  static let examples = ["organisations remove acme-ltd --forget-invoices"]

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("The account.", valueName: "account"),
    completion: ConfiguredValues.accounts)
  var account: String

  @Flag(help: "Delete the account's invoices and contacts from this machine too.")
  var forgetInvoices = false

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, account: account, in: environment) { context in
      let isConfigured = context.core.configuration.accounts[account] != nil
      try await context.core.removeAddedAccount(account, forgetsRecords: forgetInvoices)
      let document = RemovedAccountDocument(
        account: account, forgotten: forgetInvoices, isConfigured: isConfigured)
      let kept = forgetInvoices || !isConfigured ? context.keptFilesTexts : []
      try await context.terminal.print(
        document, text: ([document.text] + kept).joined(separator: "\n"))
    }
  }
}

private struct RemovedAccountDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let forgotten: Bool
  /// False if only the database knew the account.
  let isConfigured: Bool

  private enum CodingKeys: CodingKey { case schemaVersion, account, forgotten }

  var text: String {
    guard isConfigured else {
      return "The invoices of '\(printable(account))' are deleted from this machine."
    }
    return "Removed account '\(printable(account))'; "
      + (forgotten
        ? "its invoices are deleted from this machine." : "its invoices stay on this machine.")
  }
}
