import GRDB
public import Models

/// The parts that an invoice's amount due is made of: its total, less what has settled it.
///
/// A credit note is settled by the invoices that it is set against, and by refunds.
public struct InvoiceBalance: Sendable, Equatable {
  /// Something that settles a part of a document.
  public struct Entry: Sendable, Equatable {
    /// The kinds of entries.
    public enum Kind: String, Sendable, CaseIterable, CustomStringConvertible {
      /// A payment, or a refund of a credit note.
      case payment
      /// Money that came back, so that its amount is below zero.
      case refund
      /// A credit note that is set against the invoice.
      case credit
      /// An invoice that this credit note is set against.
      case invoice
      /// The part of credits that was settled already, so that its amount, below zero, went back to
      /// the contact or to the contact's balance.
      case returned
      /// The cents that cash rounding left out, below zero if it added them.
      case rounding
      /// The part that the payer withholds and pays to a tax office.
      case withheld
      /// The part that nobody has to pay any more, because the document is void, deleted or written
      /// off, or because the provider claims no refund again.
      case waived

      /// The kind for people, such as `set against`.
      public var description: String {
        switch self {
        case .payment: "paid"
        case .refund: "refunded"
        case .credit: "credited"
        case .invoice: "set against"
        case .returned: "returned"
        case .rounding: "rounded"
        case .withheld: "withheld"
        case .waived: "not claimed"
        }
      }
    }

    /// The kind.
    public let kind: Kind
    /// The identifier of the payment, credit note or invoice; `nil` if there is none.
    public var id: String?
    /// The number or the reference.
    public var number: String?
    /// The day.
    public var date: CalendarDate?
    /// The amount by which it reduces what is due.
    public var amount: ExactDecimal
  }

  /// The currency of all amounts.
  public let currency: Currency
  /// The total.
  public let total: ExactDecimal
  /// The entries that have settled it, by day.
  public let entries: [Entry]
  /// The amount that is due, as the provider states it, or else as its entries leave it.
  public let due: ExactDecimal?

  /// The part of what is settled that no entry explains; zero if the provider lists all of it, and
  /// if it does not state what is due.
  ///
  /// Below zero, the entries settle more than the provider says.
  public var unexplained: DecimalSum {
    guard let due else { return .zero }
    var rest = Self.rest(total, entries)
    rest.add(due.negated)
    return rest
  }

  fileprivate static func rest(_ total: ExactDecimal, _ entries: [Entry]) -> DecimalSum {
    DecimalSum([total] + entries.map(\.amount.negated))
  }

  fileprivate init(of invoice: Invoice, _ found: [Entry]) {
    var entries = found.sorted {
      ($0.date?.description ?? "", $0.kind.rawValue) < (
        $1.date?.description ?? "", $1.kind.rawValue
      )
    }
    var due = invoice.amountDue
    if due == nil, invoice.status == .open { due = invoice.total }
    for (kind, amount) in [
      (Entry.Kind.rounding, invoice.roundingAmount?.negated),
      (.withheld, invoice.withheldAmount?.magnitude),
    ] {
      guard let due, let amount, !amount.isZero,
        Self.rest(invoice.total, entries) == DecimalSum([due, amount])
      else { continue }
      entries.append(Entry(kind: kind, id: nil, number: nil, date: nil, amount: amount))
    }
    let rest = due.flatMap { due in
      var rest = Self.rest(invoice.total, entries)
      rest.add(due.negated)
      return rest.exact
    }
    if let rest, !rest.isZero {
      let refunds = DecimalSum(entries.filter { $0.kind == .refund }.map(\.amount)).negated
      let isOver: Bool =
        switch invoice.status {
        case .void, .deleted, .writtenOff, .refunded: true
        default: DecimalSum(rest) > .zero && !(DecimalSum(rest) > refunds)
        }
      let credits = DecimalSum(entries.filter { $0.kind == .credit }.map(\.amount))
      if DecimalSum(rest) < .zero, !(DecimalSum(rest.negated) > credits) {
        entries.append(Entry(kind: .returned, id: nil, number: nil, date: nil, amount: rest))
      } else if isOver {
        entries.append(Entry(kind: .waived, id: nil, number: nil, date: nil, amount: rest))
      }
    }
    (currency, total, self.entries, self.due) = (
      invoice.currency, invoice.total, entries, due
    )
  }
}

/// Reads what has settled single invoices.
struct BalanceReader {
  /// Each is `nil` if its table is empty: it would be queried in vain for each invoice.
  private let payments: BoundStatement?
  private let credits: BoundStatement?
  private let numbers: DocumentNumbers

  init(_ db: Database) throws {
    func statement(_ table: String, _ sql: String) throws -> BoundStatement? {
      let isUsed = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table))"))
      return isUsed == true ? try BoundStatement(db, sql) : nil
    }
    // Without CROSS, SQLite, which has no statistics, may read all records of the account first.
    let isOfDocument = """
      \(Schema.identifierEnd("part.invoice_id")) = \(Schema.identifierEnd("?1"))
        AND +part.invoice_id = ?1
      """
    payments = try statement(
      "payment_allocation",
      """
      SELECT payment.id, coalesce(payment.reference, payment.method),
        coalesce(part.date, payment.date), part.amount, payment.type,
        payment.deleted_at IS NULL AND payment.status IN ('completed', 'unknown')
      FROM payment_allocation AS part CROSS JOIN payment ON payment.row = part.payment
      WHERE \(isOfDocument) AND payment.account = (SELECT row FROM account WHERE name = ?2)
      """)
    credits = try statement(
      "credit_allocation",
      """
      SELECT invoice.id, invoice.number, coalesce(part.date, invoice.issue_date), part.amount
      FROM credit_allocation AS part CROSS JOIN invoice ON invoice.row = part.invoice
      WHERE \(isOfDocument) AND invoice.account = (SELECT row FROM account WHERE name = ?2)
        AND \(Schema.settles("invoice"))
      """)
    numbers = try DocumentNumbers(db)
  }

  /// Returns what the amount due of an invoice is made of.
  func balance(of stored: StoredInvoice) throws -> InvoiceBalance {
    InvoiceBalance(of: stored.invoice, try settlements(of: stored))
  }

  /// Returns what has settled an invoice.
  func settlements(of stored: StoredInvoice) throws -> [InvoiceBalance.Entry] {
    let invoice = stored.invoice
    let isCredit = invoice.type == .creditNote || invoice.type == .billCredit
    var entries: [InvoiceBalance.Entry] = []
    // The list says what became of a payment.
    var listed: Set<String?> = []
    try payments?.bind(invoice.id, at: 1)
    try payments?.bind(stored.account, at: 2)
    try payments?.forEachRow { columns in
      var row = RowValues(columns)
      let (id, number, date) = (row.text(), row.text(), row.day())
      let amount = try StoredValue.required(row.decimal())
      let type: PaymentType = try row.word()
      // A refund settles a credit note; of an invoice it takes back a payment.
      let isBack = type.isRefund && !isCredit
      let isTurned = isBack || isCredit && amount.isNegative != invoice.total.isNegative
      listed.insert(id)
      guard row.flag() == true else { return }
      entries.append(
        InvoiceBalance.Entry(
          kind: isBack ? .refund : .payment, id: id, number: number, date: date,
          amount: isTurned ? amount.negated : amount))
    }
    // Some providers write what a credit note was paid with the other sign.
    let isTurned =
      isCredit
      && invoice.payments.allSatisfy { $0.amount.isNegative != invoice.total.isNegative }
    for payment in invoice.payments where !listed.contains(payment.id) {
      let amount = isTurned ? payment.amount.negated : payment.amount
      entries.append(
        InvoiceBalance.Entry(
          kind: amount.isNegative == invoice.total.isNegative ? .payment : .refund,
          id: payment.id, number: payment.reference ?? payment.method, date: payment.date,
          amount: amount))
    }
    // A void credit note settles nothing, whatever it was set against.
    let isDead = invoice.status == .void || invoice.status == .deleted
    var own: Set<String> = []
    for part in invoice.allocations where !isDead {
      let isTurned = isCredit && part.amount.isNegative != invoice.total.isNegative
      own.insert(part.invoiceID)
      entries.append(
        InvoiceBalance.Entry(
          kind: isCredit ? .invoice : .credit, id: part.invoiceID,
          number: try part.invoiceNumber
            ?? numbers.number(of: part.invoiceID, in: stored.account),
          date: part.date, amount: isTurned ? part.amount.negated : part.amount))
    }
    try credits?.bind(invoice.id, at: 1)
    try credits?.bind(stored.account, at: 2)
    try credits?.forEachRow { columns in
      var row = RowValues(columns)
      let (id, number, date) = (row.text(), row.text(), row.day())
      let amount = try StoredValue.required(row.decimal())
      // Both documents may state what one settles of the other.
      guard id.map(own.contains) != true else { return }
      entries.append(
        InvoiceBalance.Entry(
          kind: .credit, id: id, number: number, date: date, amount: amount))
    }
    return entries
  }
}

/// Reads the numbers of stored documents.
struct DocumentNumbers {
  private let statement: BoundStatement

  init(_ db: Database) throws {
    statement = try BoundStatement(
      db,
      """
      SELECT number FROM invoice
      WHERE account = (SELECT row FROM account WHERE name = ?2) AND id = ?1
        AND deleted_at IS NULL
      """)
  }

  /// Returns the number of a document; `nil` if it is not stored, is deleted or has none.
  func number(of id: String, in account: String) throws -> String? {
    try statement.bind(id, at: 1)
    try statement.bind(account, at: 2)
    return try statement.first { columns in
      var row = RowValues(columns)
      return row.text()
    }.flatMap(\.self)
  }
}
