import GRDB
public import Models

/// A query for payments: a filter and an order.
public struct PaymentQuery: Sendable, Equatable {
  /// The orders of payments.
  public enum Sort: String, Sendable, CaseIterable {
    /// The day of the payment.
    case date
    /// The currency, then the amount as a number.
    case amount
    /// The last change at the provider.
    case updatedAt
    /// The other party's name.
    case contact
    /// The order in which they were first stored, which needs no sorting.
    case stored
  }

  /// The accounts, or `nil` for all.
  public var accounts: [String]?
  /// The only account; `nil` if there are several, or all.
  public var account: String? {
    get { accounts?.count == 1 ? accounts?.first : nil }
    set { accounts = newValue.map { [$0] } }
  }
  /// The directions of the money, or `nil` for all.
  public var types: Set<PaymentType>?
  /// The statuses, or `nil` for all.
  ///
  /// A deleted payment counts as deleted, whichever status it had before.
  public var statuses: Set<PaymentStatus>?
  /// The currencies, or `nil` for all.
  public var currencies: Set<Currency>?
  /// The first day.
  public var from: CalendarDate?
  /// The last day.
  public var through: CalendarDate?
  /// The other party: its identifier, or words of its name, whatever their case and accents.
  public var contact: String?
  /// The identifier or the number of an invoice that is paid.
  public var invoice: String?
  /// Words of the reference, the method, the party's name and the numbers of the invoices; the last
  /// one may be a prefix.
  public var search: String?
  /// The instant at or after which a sync stored the payment, changed it, or marked it as deleted.
  public var changedSince: Timestamp?
  /// True to keep only payments of which a part pays no document yet.
  public var isUnallocated = false
  /// True to include void and deleted payments if no ``statuses`` are named.
  public var includesVoidAndDeleted = false
  /// True to look up the numbers of the documents that a payment pays; see
  /// ``StoredPayment/number(of:)``.
  public var namesDocuments = true
  /// The order.
  public var sort = Sort.date
  /// True to return the smallest first.
  public var isAscending = false
  /// The largest number of payments, or `nil` for all.
  public var limit: Int?
  /// The number of payments to skip.
  public var offset = 0
  /// The position after which the payments are read, of a page in the same order; counts ignore it.
  public var after: RowPosition?

  /// Creates a query for all payments that are neither void nor deleted, the newest first.
  public init() {}

  /// Returns the statement that finds the payments.
  ///
  /// After the columns of ``PaymentReader``, it has those that order them.
  func statement() -> (sql: String, arguments: StatementArguments) {
    var (condition, arguments) = filter
    let terms = orderTerms
    if let after {
      let next =
        after.isInOrder(of: self)
        ? RowCondition(
          after: Array(zip(terms, after.values)), row: ("payment.row", after.row), isAscending)
        : RowCondition(sql: "0")
      condition += (condition.isEmpty ? "WHERE " : " AND ") + next.sql
      arguments += next.arguments
    }
    let columns = terms.map { ", \($0.expression) AS by_\($0.name)" }.joined()
    let direction = isAscending ? "ASC" : "DESC"
    let order = terms.map { "by_\($0.name)" } + ["payment.row"]
    condition += " ORDER BY " + order.map { "\($0) \(direction)" }.joined(separator: ", ")
    if limit != nil || offset > 0 {
      condition += " LIMIT ? OFFSET ?"
      arguments += [limit ?? -1, offset]
    }
    return ("SELECT \(PaymentReader.columns)\(columns) FROM \(Self.source) \(condition)", arguments)
  }

  static let source = "every_payment AS payment JOIN account ON account.row = payment.account"

  /// The condition, with `WHERE` before it; empty if there is none.
  var filter: (sql: String, arguments: StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    func require(_ condition: String, _ values: [any DatabaseValueConvertible] = []) {
      conditions.append(condition)
      arguments += StatementArguments(values)
    }
    func require(_ column: String, oneOf values: [String]) {
      require("\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))", values)
    }
    if let accounts { require("account.name", oneOf: accounts) }
    if let types { require("payment.type", oneOf: types.map(\.rawValue).sorted()) }
    if let currencies { require("payment.currency", oneOf: currencies.map(\.code).sorted()) }
    if let statuses {
      require(
        "iif(payment.deleted_at IS NULL, payment.status, 'deleted')",
        oneOf: statuses.map(\.rawValue).sorted())
    } else if !includesVoidAndDeleted {
      require("payment.deleted_at IS NULL AND payment.status NOT IN ('void', 'deleted')")
    }
    if let from { require("payment.date >= ?", [from.description]) }
    if let through { require("payment.date <= ?", [through.description]) }
    if let contact, !contact.isEmpty {
      require(
        "(payment.contact_id = ? OR has_words(ifnull(\(PaymentReader.contactName), ''), ?))",
        [contact, contact])
    }
    if let invoice { require(Self.pays, [invoice, invoice]) }
    if let search, !search.isEmpty { require("has_words(\(Self.words), ?)", [search]) }
    if let changedSince {
      let instant = changedSince.microsecondsSinceEpoch
      require("(payment.synced_at >= ? OR payment.deleted_at >= ?)", [instant, instant])
    }
    if isUnallocated { require("payment.unallocated_amount COLLATE decimal > '0'") }
    return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), arguments)
  }

  private static let pays = """
    (account.name, payment.id) IN (
      SELECT account, source_id FROM allocations WHERE kind = 'payment'
        AND (invoice_id = ? OR invoice_number = ?))
    """

  private static let words = """
    ifnull(payment.reference, '') || ' ' || ifnull(payment.method, '') || ' '
      || ifnull(\(PaymentReader.contactName), '') || ' ' || payment.id || ' ' || coalesce((
        SELECT group_concat(coalesce((
            SELECT number FROM invoice WHERE invoice.account = payment.account
              AND invoice.id = part.invoice_id), part.invoice_number, ''), ' ')
        FROM payment_allocation AS part WHERE part.payment = payment.row), (
        SELECT number FROM invoice WHERE invoice.row = -payment.row / 65536), '')
    """
}

/// A stored payment.
public struct StoredPayment: Sendable, Equatable {
  /// The account it belongs to.
  public let account: String
  /// The payment.
  ///
  /// If the provider names its contact by identifier only, it has the name of the synced contact.
  public let payment: Payment
  /// The time at which its deletion at the provider was noticed.
  public let deletedAt: Timestamp?
  /// The reason why it counts as deleted.
  public let deletedReason: String?
  /// The numbers of the stored documents that it pays, by their identifiers; empty if the query
  /// does not want them.
  public let documentNumbers: [String: String]

  /// Returns the number of the document that a part pays, as the provider states it with the part,
  /// or else as it is stored; `nil` if it is not known.
  public func number(of part: Allocation) -> String? {
    part.invoiceNumber ?? documentNumbers[part.invoiceID]
  }
}

extension LocalDatabase {
  /// The store of payments, for their sync.
  package func paymentStore(of resource: Resource = .payments) -> ResourceStore<Payment> {
    ResourceStore(database: self, resource: resource, table: PaymentTable.self)
  }

  /// Calls a function with each payment that a query finds, however many, as of one moment.
  ///
  /// - Parameters:
  ///   - query: selects and orders the payments.
  ///   - body: the function; it runs on a thread that it may block, and the reading waits for it.
  ///     An error that it throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func forEachPayment(
    matching query: PaymentQuery, _ body: @escaping @Sendable (StoredPayment) throws -> Void
  ) async throws {
    try await read { db in
      let reader = try PaymentReader(db, namesDocuments: query.namesDocuments)
      let (sql, arguments) = query.statement()
      try db.forEachRow(sql: sql, arguments: arguments) { try body(try reader.stored(&$0)) }
    }
  }

  /// Finds payments.
  ///
  /// - Throws: ``StorageError``.
  public func payments(matching query: PaymentQuery) async throws -> [StoredPayment] {
    try await paymentPage(matching: query).payments
  }

  /// Returns the number of payments that a query finds; its limit is ignored.
  ///
  /// - Throws: ``StorageError``.
  public func paymentCount(matching query: PaymentQuery) async throws -> Int {
    try await read { db in
      let (condition, arguments) = query.filter
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(PaymentQuery.source) \(condition)", arguments: arguments)
        ?? 0
    }
  }

  /// Finds the payments with an identifier, or else those with a reference, or else those whose
  /// identifier starts with the text, if it has eight characters or more.
  ///
  /// - Returns: at most ten payments.
  /// - Throws: ``StorageError``.
  public func payments(named text: String, account: String?) async throws -> [StoredPayment] {
    try await read { db in
      let reader = try PaymentReader(db, namesDocuments: true)
      let short = ShortIdentifier(text).map { ("payment.id GLOB ?1", $0.pattern) }
      let conditions = [("payment.id = ?1", text), ("payment.reference = ?1 COLLATE NOCASE", text)]
      for (condition, value) in conditions + [short].compactMap(\.self) {
        let found = try db.allRows(
          sql: """
            SELECT \(PaymentReader.columns) FROM \(PaymentQuery.source)
            WHERE \(condition) AND (?2 IS NULL OR account.name = ?2)
            ORDER BY payment.deleted_at IS NOT NULL LIMIT 10
            """, arguments: [value, account]
        ) { try reader.stored(&$0) }
        let live = found.filter { $0.deletedAt == nil }
        if !found.isEmpty { return live.isEmpty ? found : live }
      }
      return []
    }
  }
}
