import AppCore
import ArgumentParser
import Models
import Presentation
import Reports
import Storage

struct ContactsCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "contacts", abstract: "Read the contacts in the database.",
    subcommands: [
      ContactsListCommand.self, ContactsShowCommand.self, ContactsExportCommand.self,
    ])
  static let examples = ["contacts list", "contacts show 'acme lo'"]
}

private struct ContactsListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List contacts with their invoices and the amounts due.")
  static let examples = [
    "contacts list --search 'acme lo'", "contacts list --owing --sort -receivable",
    "contacts list --json | jq '.contacts | length'",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: ContactFilterOptions

  @Option(
    parsing: .unconditional,
    help:
      "Sort by this key; a leading - reverses the order. Default: name; with --owing -receivable.")
  var sort: SortOrder<ContactQuery.Sort>?

  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func run(in environment: CommandEnvironment) async throws {
    var query = filter.query
    let order = sort ?? (query.isOwing ? SortOrder(.receivable, isAscending: false) : nil)
    if let order { (query.sort, query.isAscending) = (order.key, order.isAscending) }
    try await query.list(global, accountsOption, rowLimit, output, in: environment)
  }
}

private struct ContactsShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one contact.")
  static let examples = ["contacts show 'Acme Ltd'"]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp(
      "The contact's id or its first 8 characters, or words of its name.", valueName: "name"))
  var name: String

  func run(in environment: CommandEnvironment) async throws {
    try await ContactQuery.show(name, global, accountOption, in: environment)
  }
}

private struct ContactsExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all contacts, including deleted ones, or those that match.")
  static let examples = [
    "contacts export -o contacts.csv", "contacts export --format jsonl | jq -r .email",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: ContactFilterOptions
  @OptionGroup var output: OutputOption
  @OptionGroup var options: ExportOptions

  func run(in environment: CommandEnvironment) async throws {
    try await filter.query.export(
      global, accountsOption, .chosen(options.format, isJSON: global.json, output),
      options.spreadsheet, output, in: environment)
  }
}

private struct ContactFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep contacts with these words in name or e-mail (the last may be a prefix), or with this "
        + "id or its first 8 characters.",
      valueName: "text"))
  var search: String?

  @Flag(help: "Keep contacts that have to pay something.")
  var owing = false

  @Flag(help: "Include deleted contacts.")
  var all = false

  /// The query of these options, without an account yet.
  var query: ContactQuery {
    var query = ContactQuery()
    query.search = search
    query.includesDeleted = all
    query.isOwing = owing
    return query
  }
}

extension ContactQuery: RecordQuery {
  static let resource = Resource.contacts
  static let csv = CSVTable<StoredContact>.contacts

  func exported(withParts: Bool) -> ContactQuery {
    var query = self
    (query.includesDeleted, query.sort) = (true, .stored)
    return query
  }

  func forEach(
    in database: LocalDatabase, _ body: @escaping @Sendable (StoredContact) throws -> Void
  ) async throws {
    try await database.forEachContact(matching: self, body)
  }

  func count(in database: LocalDatabase) async throws -> Int {
    try await database.contactCount(matching: self)
  }

  func noteEmpty(_ database: LocalDatabase?, in context: CommandContext) async throws {
    var everything = ContactQuery()
    (everything.accounts, everything.includesDeleted) = (accounts, true)
    let stored = try await database?.contactCount(matching: everything) ?? 0
    guard stored > 0 else { return context.terminal.note(context.nothingStored(of: .contacts)) }
    context.terminal.note("No contacts match; \(stored.grouped) stored, deleted ones included")
  }

  static func append(_ stored: StoredContact, withParts: Bool, to text: inout [UInt8]) {
    ContactDocument.append(stored, to: &text)
  }

  static func find(
    _ name: String, account: String, in database: LocalDatabase
  ) async throws -> [StoredContact] {
    try await database.contacts(named: name, account: account)
  }

  static func failure(named name: String, _ found: [StoredContact]) -> Failure {
    Failure(contactsNamed: name, found)
  }

  static func document(of stored: StoredContact) -> ContactShowDocument {
    ContactShowDocument(stored)
  }

  /// Contacts as a table.
  ///
  /// A contact with amounts in several currencies takes a line for each on a terminal, which has no
  /// room for them side by side: an amount is never cut.
  func table(_ style: TableStyle, showsAccounts: Bool) -> RowFormat<StoredContact> {
    let columns = [
      TableColumn(name: "NAME", shortest: 12),
      TableColumn(name: "EMAIL", shortest: 12, leastWidth: 60, omission: 1),
      TableColumn(name: "STATUS", leastWidth: 60, omission: 0),
      TableColumn(name: "INVOICES", isRight: true, omission: 3),
      TableColumn(name: "RECEIVABLE", isRight: true),
      TableColumn(name: "PAYABLE", isRight: true, omission: 2),
    ]
    return .table((showsAccounts ? [.account] : []) + columns, style) { stored in
      let contact = stored.contact
      let status = stored.deletedAt == nil ? contact.status : .deleted
      let fields =
        (showsAccounts ? [TableCell(style.organisations.title(of: stored.account))] : []) + [
          TableCell(contact.name ?? style.shown(id: contact.id)), TableCell(contact.email ?? "-"),
          TableCell(status.rawValue, status == .active ? nil : .dim),
          TableCell(stored.invoiceCount.description),
        ]
      let amounts = [
        ContactAmounts.receivable(stored.balances), ContactAmounts.payable(stored.balances),
      ].map { style.isTerminal && !$0.isEmpty ? $0 : [$0.joined(separator: "; ")] }
      return (0..<max(amounts[0].count, amounts[1].count)).map { line in
        (line == 0 ? fields : fields.map { _ in TableCell("") })
          + amounts.map { TableCell(line < $0.count ? $0[line] : "") }
      }
    }
  }

  static func sheet(of stored: StoredContact) -> String {
    let contact = stored.contact
    let roles = [
      contact.isCustomer == true ? "customer" : nil, contact.isSupplier == true ? "supplier" : nil,
    ].compactMap(\.self)
    let fields: [(String, String?)] = [
      ("name", contact.name), ("id", contact.id),
      ("status", "\(contact.status.rawValue) (\(contact.rawStatus))"),
      ("role", roles.isEmpty ? nil : roles.joined(separator: ", ")), ("email", contact.email),
      ("phone", contact.phone), ("mobile", contact.mobile), ("website", contact.website),
      ("address", contact.address?.oneLine), ("delivery", contact.deliveryAddress?.oneLine),
      ("account", contact.accountNumber), ("company no", contact.companyNumber),
      ("tax number", contact.taxNumber),
      ("updated", contact.updatedAt.map { LocalTime($0).description }),
      ("deleted", stored.deletedAt.map { "\(LocalTime($0)) (\(stored.deletedReason ?? ""))" }),
      ("invoices", stored.invoiceCount.grouped),
      ("receivable", ContactAmounts.receivable(stored.balances).joined(separator: "; ")),
      ("payable", ContactAmounts.payable(stored.balances).joined(separator: "; ")),
    ]
    return fields.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : HumanText.line(name, $0) }
    }.joined(separator: "\n")
  }
}
