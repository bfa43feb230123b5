import AppCore
import ArgumentParser
import Models
import Presentation
import Reports
import Storage

struct PaymentsCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "payments", abstract: "Read the payments in the database.",
    subcommands: [
      PaymentsListCommand.self, PaymentsShowCommand.self, PaymentsExportCommand.self,
    ])
  static let examples = ["payments list --month last", "payments list --invoice INV-0042"]
}

private struct PaymentsListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List payments, the newest first, with the invoices they pay.")
  static let examples = [
    "payments list --contact 'acme lo' --year 2024", "payments list --unallocated",
    "payments list --json | jq '.payments | length'",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: PaymentFilterOptions

  @Option(
    parsing: .unconditional,
    help: "Sort by this key; a leading - reverses the order.")
  var sort = SortOrder(PaymentQuery.Sort.date, isAscending: false)

  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func run(in environment: CommandEnvironment) async throws {
    var query = filter.query
    (query.sort, query.isAscending) = (sort.key, sort.isAscending)
    try await query.list(global, accountsOption, rowLimit, output, in: environment)
  }
}

private struct PaymentsShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one payment and the documents that it pays.")
  static let examples = ["payments show ch_1PgafT"]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp(
      "The payment's id or its first 8 characters, or its reference.", valueName: "id"))
  var id: String

  func run(in environment: CommandEnvironment) async throws {
    try await PaymentQuery.show(id, global, accountOption, in: environment)
  }
}

private struct PaymentsExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all payments, including void and deleted ones, or those that match.")
  static let examples = [
    "payments export --quarter last -o payments.csv",
    "payments export --allocations -o paid-invoices.csv",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: PaymentFilterOptions
  @OptionGroup var output: OutputOption

  @Flag(help: "Write csv with a row for each document that a payment pays.")
  var allocations = false

  @OptionGroup var options: ExportOptions

  func run(in environment: CommandEnvironment) async throws {
    try await filter.query.export(
      global, accountsOption, .chosen(options.format, isJSON: global.json, output),
      options.spreadsheet, rows: allocations ? .allocations : nil, output, in: environment)
  }
}

private struct PaymentFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Keep these types; separate several by commas.", valueName: "type"),
    completion: ListCompletion.of(PaymentType.allCases.map(\.rawValue)),
    transform: { try FilterValue.list($0, "type", PaymentType.allCases) })
  var type: [[PaymentType]] = []

  @Option(
    help: ArgumentHelp("Keep these statuses; separate several by commas.", valueName: "status"),
    completion: ListCompletion.of(PaymentStatus.allCases.map(\.rawValue)),
    transform: { try FilterValue.list($0, "status", PaymentStatus.allCases) })
  var status: [[PaymentStatus]] = []

  @Option(
    help: ArgumentHelp("Keep these currencies, such as EUR,USD.", valueName: "code"),
    transform: FilterValue.currencies)
  var currency: [[Currency]] = []

  @Option(
    help: ArgumentHelp(
      "Keep payments of this contact: words of its name (the last may be a prefix), or its id.",
      valueName: "text"))
  var contact: String?

  @Option(
    help: ArgumentHelp("Keep payments of the invoice with this number or id.", valueName: "id"))
  var invoice: String?

  @OptionGroup var period: PeriodOptions

  @Option(
    help: ArgumentHelp(
      "Keep payments that a sync has stored, changed or marked as deleted since this day or "
        + "instant (3m: months), void and deleted ones included.",
      valueName: "day"),
    transform: FilterValue.instant)
  var changedSince: Timestamp?

  @Option(
    help: ArgumentHelp(
      "Keep payments with all of these words in reference, method, contact, id or numbers of "
        + "invoices; the last may be the beginning of one.",
      valueName: "words"))
  var search: String?

  @Flag(help: "Keep payments of which a part pays no document yet.")
  var unallocated = false

  @Flag(help: "Include void and deleted payments.")
  var all = false

  /// The query of these options, without an account yet.
  var query: PaymentQuery {
    var query = PaymentQuery()
    if !type.isEmpty { query.types = Set(type.joined()) }
    if !status.isEmpty { query.statuses = Set(status.joined()) }
    if !currency.isEmpty { query.currencies = Set(currency.joined()) }
    (query.contact, query.invoice, query.search) = (contact, invoice, search)
    (query.from, query.through) = (period.first, period.last)
    query.changedSince = changedSince
    query.isUnallocated = unallocated
    query.includesVoidAndDeleted = all || changedSince != nil
    return query
  }
}

extension PaymentQuery: RecordQuery {
  static let resource = Resource.payments
  static let csv = CSVTable<StoredPayment>.payments

  func exported(withParts: Bool) -> PaymentQuery {
    var query = self
    (query.includesVoidAndDeleted, query.namesDocuments) = (true, false)
    (query.sort, query.isAscending) = (.stored, true)
    return query
  }

  func forEach(
    in database: LocalDatabase, _ body: @escaping @Sendable (StoredPayment) throws -> Void
  ) async throws {
    try await database.forEachPayment(matching: self, body)
  }

  func count(in database: LocalDatabase) async throws -> Int {
    try await database.paymentCount(matching: self)
  }

  func noteEmpty(_ database: LocalDatabase?, in context: CommandContext) async throws {
    var everything = PaymentQuery()
    (everything.accounts, everything.includesVoidAndDeleted) = (accounts, true)
    let stored = try await database?.paymentCount(matching: everything) ?? 0
    guard stored > 0 else { return context.terminal.note(context.nothingStored(of: .payments)) }
    context.terminal.note(
      "No payments match; \(stored.grouped) stored, void and deleted ones included")
  }

  static func append(_ stored: StoredPayment, withParts: Bool, to text: inout [UInt8]) {
    PaymentDocument.append(stored, to: &text)
  }

  static func find(
    _ name: String, account: String, in database: LocalDatabase
  ) async throws -> [StoredPayment] {
    try await database.payments(named: name, account: account)
  }

  static func failure(named name: String, _ found: [StoredPayment]) -> Failure {
    Failure(paymentsNamed: name, found)
  }

  static func document(of stored: StoredPayment) -> PaymentShowDocument {
    PaymentShowDocument(stored)
  }

  func table(_ style: TableStyle, showsAccounts: Bool) -> RowFormat<StoredPayment> {
    let columns = [
      TableColumn(name: "DATE"), TableColumn(name: "TYPE", omission: 1),
      TableColumn(name: "STATUS", leastWidth: 60, omission: 0),
      TableColumn(name: "CONTACT", shortest: 8, preferred: 14),
      TableColumn(name: "PAYS", shortest: 8),
      TableColumn(name: "REFERENCE", shortest: 8, leastWidth: 60, omission: 2),
      TableColumn(name: "AMOUNT", isRight: true),
    ]
    return .table((showsAccounts ? [.account] : []) + columns, style) { stored in
      let payment = stored.payment
      let status = stored.deletedAt == nil ? payment.status : .deleted
      let paid = payment.allocations.map {
        stored.number(of: $0) ?? style.shown(id: $0.invoiceID)
      }
      return [
        (showsAccounts ? [TableCell(style.organisations.title(of: stored.account))] : []) + [
          TableCell(payment.date?.description ?? "-"), TableCell(payment.type.rawValue),
          TableCell(status.rawValue, status == .completed ? nil : .dim),
          TableCell(payment.contactName ?? payment.contactID.map(style.shown(id:)) ?? "-"),
          TableCell(paid.isEmpty ? "-" : paid.joined(separator: ", ")),
          TableCell(payment.reference ?? payment.method ?? "-"),
          TableCell(Money(payment.amount, payment.currency).description),
        ]
      ]
    }
  }

  static func sheet(of stored: StoredPayment) -> String {
    let payment = stored.payment
    func money(_ amount: ExactDecimal?) -> String? {
      amount.map { Money($0, payment.currency).description }
    }
    let fields: [(String, String?)] = [
      ("id", payment.id), ("type", payment.type.rawValue),
      ("status", "\(payment.status.rawValue) (\(payment.rawStatus))"),
      ("date", payment.date?.description), ("amount", money(payment.amount)),
      ("contact", payment.contactName ?? payment.contactID), ("method", payment.method),
      ("reference", payment.reference), ("account", payment.accountCode),
      ("updated", payment.updatedAt.map { LocalTime($0).description }),
      ("unallocated", money(payment.unallocatedAmount)),
      ("deleted", stored.deletedAt.map { "\(LocalTime($0)) (\(stored.deletedReason ?? ""))" }),
    ]
    let rows = payment.allocations.map { part in
      let name = stored.number(of: part) ?? part.invoiceID
      let parts = [part.date?.description, money(part.amount), name].compactMap(\.self)
      return "  " + printable(parts.joined(separator: "  "))
    }
    return
      (fields.compactMap { name, value in
        value.flatMap { $0.isEmpty ? nil : HumanText.line(name, $0) }
      } + (rows.isEmpty ? [] : ["pays"] + rows)).joined(separator: "\n")
  }
}
