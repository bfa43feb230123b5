import AppCore
import Models
import Presentation
import Reports
import Storage

extension InvoiceQuery: RecordQuery {
  static let resource = Resource.invoices
  static let csv = CSVTable<StoredInvoice>.invoices

  func exported(withParts: Bool) -> InvoiceQuery {
    var query = self
    query.includesVoidAndDeleted = true
    query.includesLines = withParts
    (query.sort, query.isAscending) = (.stored, true)
    return query
  }

  func forEach(
    in database: LocalDatabase, _ body: @escaping @Sendable (StoredInvoice) throws -> Void
  ) async throws {
    try await database.forEachInvoice(matching: self, body)
  }

  func count(in database: LocalDatabase) async throws -> Int {
    try await database.invoiceCount(matching: self)
  }

  static func append(_ stored: StoredInvoice, withParts: Bool, to text: inout [UInt8]) {
    InvoiceDocument.append(stored, withLines: withParts, to: &text)
  }

  static func find(
    _ name: String, account: String, in database: LocalDatabase
  ) async throws -> [StoredInvoice] {
    try await database.invoices(named: name, account: account)
  }

  static func failure(named name: String, _ found: [StoredInvoice]) -> Failure {
    Failure(invoicesNamed: name, found)
  }

  static func document(of stored: StoredInvoice) -> InvoiceShowDocument {
    InvoiceShowDocument(stored)
  }

  static func sheet(of stored: StoredInvoice) -> String { InvoiceSheet(stored).text }
}

// Why a query finds no invoices.
extension InvoiceQuery {
  func noteEmpty(_ database: LocalDatabase?, in context: CommandContext) async throws {
    let terminal = context.terminal
    guard let database else { return terminal.note(context.nothingStored(of: .invoices)) }
    var everything = InvoiceQuery()
    (everything.accounts, everything.includesVoidAndDeleted) = (accounts, true)
    let stored = try await database.invoiceCount(matching: everything)
    guard stored > 0 else {
      let elsewhere = try await everything.elsewhere(database, in: context)
      return terminal.note(
        elsewhere.isEmpty
          ? context.nothingStored(of: .invoices)
          : Hint(
            "No invoices are stored for "
              + (context.showsAccounts ? "these accounts" : "this account") + elsewhere))
    }
    var wider = self
    wider.includesVoidAndDeleted = true
    let isWidest = includesVoidAndDeleted || issuedOnly
    let hidden = isWidest ? 0 : try await database.invoiceCount(matching: wider)
    terminal.note(
      "No invoices match; \(stored.grouped) stored, void and deleted ones included"
        + (hidden > 0 ? "; --all finds \(hidden.grouped)" : ""))
  }

  /// Returns how many invoices other accounts hold, and how to show them; empty if there are none.
  private func elsewhere(
    _ database: LocalDatabase, in context: CommandContext
  ) async throws -> String {
    let configured = context.core.configuration.accounts
    let stored = try await database.accountsWithRecords()
    func count(_ names: [String]) async throws -> String? {
      guard !names.isEmpty else { return nil }
      var query = self
      query.accounts = names
      let found = try await database.invoiceCount(matching: query)
      return found > 0 ? found.grouped : nil
    }
    var removed: [String] = []
    for name in stored where configured[name] == nil {
      if try await count([name]) != nil { removed.append(name) }
    }
    var text = ""
    if let number = try await count(stored.filter { configured[$0] != nil }) {
      text += "; other accounts hold \(number): use --account or --all-accounts"
    }
    if let first = removed.first, let number = try await count(removed) {
      text += "; accounts that are not configured any more hold \(number) "
      text += "(\(HumanText.some(removed))): use --account \(first.shellWord)"
    }
    return text
  }
}

extension InvoiceQuery {
  func table(_ style: TableStyle, showsAccounts: Bool) -> RowFormat<StoredInvoice> {
    Self.table(
      style, showsAccounts: showsAccounts, showsDue: dueBefore != nil, isByDue: sort == .dueDate,
      showsChange: changedSince != nil)
  }

  /// - Parameters:
  ///   - today: the day that decides which invoices are overdue.
  ///   - showsDue: true to show the amount due of each invoice.
  ///   - isByDue: true if the list is in the order of due days, which it then keeps longest.
  ///   - showsChange: true to show how each invoice has changed.
  static func table(
    _ style: TableStyle, today: CalendarDate? = .today(), showsAccounts: Bool = false,
    showsDue: Bool = false, isByDue: Bool = false, showsChange: Bool = false
  ) -> RowFormat<StoredInvoice> {
    let isByDue = showsDue || isByDue
    let columns = [
      TableColumn(name: "DATE", omission: isByDue ? 0 : 2),
      TableColumn(name: "DUE", leastWidth: isByDue ? 0 : 60, omission: isByDue ? 2 : 0),
      TableColumn(name: "NUMBER", shortest: 12), TableColumn(name: "TYPE", omission: 1),
      TableColumn(name: "STATUS", shortest: 6, omission: 3),
      TableColumn(name: "CONTACT", shortest: 8, preferred: 14),
      TableColumn(name: "TOTAL", isRight: true),
    ]
    let due = showsDue ? [TableColumn(name: "AMOUNT DUE", isRight: true)] : []
    let change = showsChange ? [TableColumn(name: "CHANGE")] : []
    return .table((showsAccounts ? [.account] : []) + change + columns + due, style) { stored in
      let invoice = stored.invoice
      // A deleted invoice is stored with its last status.
      let status = stored.deletedAt == nil ? invoice.status : .deleted
      let number = invoice.number.flatMap { $0.isEmpty ? nil : $0 }
      let cells = [
        TableCell(invoice.issueDate?.description ?? "-"),
        TableCell(invoice.dueDate?.description ?? "-"),
        TableCell(number ?? style.shown(id: invoice.id)), TableCell(invoice.type.rawValue),
        TableCell(status.rawValue, Self.color(of: invoice, status, today)),
        TableCell(invoice.contact.name ?? invoice.contact.id.map(style.shown(id:)) ?? "-"),
        TableCell(invoice.totalMoney.description),
      ]
      let account = showsAccounts ? [TableCell(style.organisations.title(of: stored.account))] : []
      let due = showsDue ? [TableCell(invoice.amountDueMoney?.description ?? "-")] : []
      let change = showsChange ? [TableCell(stored.change?.word ?? "-")] : []
      return [account + change + cells + due]
    }
  }

  private static func color(
    of invoice: Invoice, _ status: InvoiceStatus, _ today: CalendarDate?
  ) -> TextColor? {
    switch status {
    case .paid, .refunded: .green
    case .open, .partiallyPaid: today.map(invoice.isOverdue) == true ? .red : .yellow
    case .draft, .scheduled, .void, .deleted, .writtenOff: .dim
    case .unknown: nil
    }
  }
}

extension RecordChange.Kind {
  /// The kind for people, as the report of a sync says it.
  fileprivate var word: String {
    switch self {
    case .inserted: "new"
    case .updated: "changed"
    case .deleted: "deleted"
    case .unchanged: "unchanged"
    }
  }
}

extension TableStyle {
  /// Returns an identifier as shown in place of a name: its beginning, which `show` takes as well.
  func shown(id: String) -> String {
    guard id.count > LocalDatabase.shortestPrefix + 1 else { return id }
    return id.prefix(LocalDatabase.shortestPrefix) + (isTerminal ? "…" : "")
  }
}

extension PostalAddress {
  /// The address on one line.
  var oneLine: String {
    let town = [postalCode, city].compactMap(\.self).joined(separator: "  ")
    return (lines + [town, region ?? "", country ?? ""]).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}

struct InvoiceSheet {
  private let stored: StoredInvoice
  private var invoice: Invoice { stored.invoice }

  init(_ stored: StoredInvoice) {
    self.stored = stored
  }

  var text: String {
    let head = fields.compactMap { name, value in value.map { HumanText.line(name, $0) } }
    let lists = [
      ("lines", lines), ("added, taken off", allowancesAndCharges), ("taxes", taxes),
      ("balance", balance), ("attachments", attachments), ("fields", customFields),
    ].flatMap { name, rows in rows.isEmpty ? [] : [name] + rows.map { "  " + printable($0) } }
    let warnings = invoice.arithmeticFindings.map { HumanText.line("warning", "\($0)") }
    return (head + lists + warnings).joined(separator: "\n")
  }

  private var fields: [(String, String?)] {
    let days = [invoice.periodStart, invoice.periodEnd].compactMap { $0?.description }
    return [
      ("number", invoice.number), ("id", invoice.id), ("type", invoice.type.rawValue),
      ("status", "\(invoice.status.rawValue) (\(invoice.rawStatus))"),
      ("contact", (invoice.contact.name ?? invoice.contact.id).map(oneLine)),
      ("address", invoice.contact.address?.oneLine),
      ("tax number", invoice.contact.taxNumber), ("own name", invoice.ownParty?.name.map(oneLine)),
      ("reference", invoice.reference.map(oneLine)), ("order", invoice.orderNumber),
      ("issued", invoice.issueDate?.description), ("due", invoice.dueDate?.description),
      ("expected", invoice.expectedPaymentDate?.description),
      ("paid on", invoice.paidDate?.description),
      ("period", days.isEmpty ? nil : days.joined(separator: " to ")),
      ("updated", invoice.updatedAt.map { LocalTime($0).description }),
      ("subtotal", money(invoice.subtotal)),
      ("tax", money(invoice.totalTax)), ("exemption", invoice.taxExemption),
      ("reverse", invoice.isReverseCharge == true ? "the buyer owes the tax" : nil),
      ("total", money(invoice.total)), ("in books", home),
      ("withheld", money(invoice.withheldAmount)),
      ("paid", money(invoice.amountPaid)), ("credited", money(invoice.amountCredited)),
      ("rounding", money(invoice.roundingAmount)), ("amount due", money(invoice.amountDue)),
      ("deleted", stored.deletedAt.map { "\(LocalTime($0)) (\(stored.deletedReason ?? ""))" }),
    ]
  }

  /// The total in the home currency, and the rate; `nil` for an invoice in the home currency.
  private var home: String? {
    let (home, currency) = (invoice.home, invoice.currency)
    guard home.currency != currency else { return nil }
    let name = home.currency?.code ?? "home currency"
    let rates = [
      home.exchangeRate.map { "1 \(currency) = \($0) \(name)" },
      home.inverseExchangeRate.map { "1 \(name) = \($0) \(currency)" },
    ].compactMap(\.self)
    // Rate 1 without a currency is that of the books' own currency.
    if home.currency == nil, home.exchangeRate ?? home.inverseExchangeRate == ExactDecimal(1) {
      return nil
    }
    let total = home.total.map { total in
      home.currency.map { Money(total, $0).description } ?? "\(total) \(name)"
    }
    let text = words(total, rates.isEmpty ? nil : "(\(rates.joined(separator: ", ")))")
    return text.isEmpty ? nil : text
  }

  private var lines: [String] {
    invoice.lines.map { line in
      let discount =
        line.discountRate.map { " - \($0) %" }
        ?? line.discountAmount.flatMap { $0.isZero ? nil : " - \($0)" } ?? ""
      let charge = line.chargeAmount.map { " + \($0)" } ?? ""
      let period = [line.periodStart, line.periodEnd].compactMap { $0?.description }
      return words(
        "\(line.quantity?.description ?? "-") x \(line.unitAmount?.description ?? "-")\(discount)"
          + "\(charge) = \(money(line.lineAmount) ?? "-")",
        oneLine(line.description ?? ""), line.tracking.map { "[\(oneLine($0))]" },
        Set(period).count < 2 ? nil : period.joined(separator: " to "))
    }
  }

  private var customFields: [String] {
    invoice.customFields.map { words($0.name, $0.value.map(oneLine)) }
  }

  private var allowancesAndCharges: [String] {
    invoice.allowancesAndCharges.map { part in
      words(part.isCharge ? "added" : "taken off", money(part.amount), part.reason)
    }
  }

  private var taxes: [String] {
    invoice.taxes.map { tax in
      words(
        money(tax.taxAmount), tax.name, tax.rate.map { "\($0) %" },
        money(tax.taxableAmount).map { "of \($0)" })
    }
  }

  /// The total, what has settled it and what is due, each with its day and its number.
  private var balance: [String] {
    guard let balance = stored.balance, !balance.entries.isEmpty || !balance.unexplained.isZero
    else { return [] }
    let unexplained = balance.unexplained
    return [words("total", money(balance.total))]
      + balance.entries.map { entry in
        words(
          entry.kind.description, entry.date?.description, money(entry.amount.negated),
          entry.number ?? entry.id)
      }
      + (unexplained.isZero
        ? [] : [words("not listed", money(unexplained.negated.exact), unexplainedBy)])
      + [words("due", money(balance.due) ?? "not stated")]
  }

  /// The kinds of entries that the provider counts and does not list.
  private var unexplainedBy: String {
    invoice.amountCredited.map { !$0.isZero } == true
      ? "credits or payments that are not synced" : "payments that are not synced"
  }

  private var attachments: [String] {
    invoice.attachments.map { words($0.fileName ?? $0.id, $0.mediaType, $0.url) }
  }

  /// Returns a text whose lines are joined by spaces.
  private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func words(_ words: String?...) -> String {
    words.compactMap(\.self).joined(separator: "  ")
  }

  private func money(_ amount: ExactDecimal?) -> String? {
    amount.map { Money($0, invoice.currency).description }
  }
}
