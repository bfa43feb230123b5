import GRDB
public import Models

/// A query for contacts: a filter and an order.
public struct ContactQuery: Sendable {
  /// The orders of contacts.
  public enum Sort: String, Sendable, CaseIterable {
    /// The name, without regard to the case of ASCII letters.
    case name
    /// The last change at the provider.
    case updatedAt
    /// The amount receivable within each currency, the currencies by their codes. Contacts that owe
    /// nothing count as the smallest.
    case receivable
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
  /// The identifier, the first eight characters of it or more, or words of the name or the e-mail
  /// address, whatever their case and accents; the last word may be a prefix.
  public var search: String?
  /// True to include archived contacts.
  public var includesArchived = true
  /// True to include deleted contacts.
  public var includesDeleted = false
  /// True to keep only the contacts that have to pay something: with an amount receivable above
  /// zero in some currency.
  public var isOwing = false
  /// The order.
  public var sort = Sort.name
  /// True to return the smallest first.
  public var isAscending = true
  /// The largest number of contacts, or `nil` for all.
  public var limit: Int?
  /// The number of contacts to skip.
  public var offset = 0
  /// The position after which the contacts are read, of a page in the same order; counts ignore it.
  public var after: RowPosition?

  /// Creates a query for all contacts that are not deleted, ordered by name.
  public init() {}
}

/// A stored contact, with what its invoices amount to.
public struct StoredContact: Sendable, Equatable {
  /// The account it belongs to.
  public let account: String
  /// The contact.
  public let contact: Contact
  /// The time at which its deletion at the provider was noticed.
  public let deletedAt: Timestamp?
  /// The reason why it counts as deleted.
  public let deletedReason: String?
  /// The number of its invoices, credit notes and bills that are neither void nor deleted.
  public let invoiceCount: Int
  /// The amounts to be paid, by currency.
  public let balances: [ContactBalance]
}

/// The amounts that are due between a contact and the user in one currency.
public struct ContactBalance: Sendable, Equatable {
  /// The currency.
  public let currency: Currency
  /// The amount due of unpaid invoices, less that of credit notes: what the contact has to pay.
  public internal(set) var receivable = DecimalSum.zero
  /// The amount due of unpaid bills, less that of their credits: what the user has to pay.
  public internal(set) var payable = DecimalSum.zero

  init(_ currency: Currency) { self.currency = currency }

  mutating func add(_ due: DecimalSum, of type: InvoiceType) {
    switch type {
    case .invoice: receivable.add(due)
    case .bill: payable.add(due)
    case .creditNote: receivable.add(due.negated)
    case .billCredit: payable.add(due.negated)
    }
  }
}

extension ContactQuery {
  /// Returns the statement that finds contacts, with the sums of their invoices as one text.
  ///
  /// After the columns of a stored contact, it has the row and the values that order it.
  ///
  /// The limit applies before the invoices are looked up, each contact's by an index. While a first
  /// sync stores invoices without that index, all are read once instead.
  func statement(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    let isIndexed = try !RecordIndexes(db: db).missing().contains {
      $0.columns.contains(Schema.identifierEnd("contact_id"))
    }
    var (condition, arguments) = filter
    if let next = nextRows {
      condition += (condition.isEmpty ? "WHERE " : " AND ") + next.sql
      arguments += next.arguments
    }
    let direction = isAscending ? "ASC" : "DESC"
    let ordering = orderTerms.map(\.expression) + ["contact.row"]
    let order = ordering.map { "\($0) \(direction)" }.joined(separator: ", ")
    var chosen = "SELECT * FROM contact \(condition) ORDER BY \(order)"
    if limit != nil || offset > 0 {
      // SQLite takes a negative limit for none.
      chosen += " LIMIT ? OFFSET ?"
      arguments += [limit ?? -1, offset]
    }
    let sums = isIndexed ? "(\(Self.sumsByIndex))" : "sums.text"
    let sql = """
      \(isIndexed ? "" : "WITH sums AS MATERIALIZED (\(Self.sumsOfAll))")
      SELECT \(ContactTable.selected), contact.deleted_at, contact.deleted_reason,
        account.name AS account_name, \(sums) AS sums,
        \((["contact.row"] + orderTerms.map(\.expression)).joined(separator: ", "))
      FROM (\(chosen)) AS contact JOIN account ON account.row = contact.account
      \(isIndexed ? "" : Self.joinedSums)
      ORDER BY \(order)
      """
    return (sql, arguments)
  }

  /// The condition, with `WHERE` before it; empty if there is none.
  var filter: (sql: String, arguments: StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if let accounts {
      let names = accounts.map { _ in "?" }.joined(separator: ", ")
      conditions.append(
        accounts.count == 1
          ? "contact.account = (SELECT row FROM account WHERE name = ?)"
          : "contact.account IN (SELECT row FROM account WHERE name IN (\(names)))")
      arguments += StatementArguments(accounts)
    }
    if !includesDeleted { conditions.append("contact.deleted_at IS NULL") }
    if !includesArchived { conditions.append("contact.status <> 'archived'") }
    if let search, !search.isEmpty {
      let short = ShortIdentifier(search)
      conditions.append(
        "(contact.id = ? OR has_words(\(Self.words), ?)"
          + (short == nil ? ")" : " OR contact.id GLOB ?)"))
      arguments += StatementArguments([search, search] + (short.map { [$0.pattern] } ?? []))
    }
    return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), arguments)
  }

  private static let words = "ifnull(contact.name, '') || ' ' || ifnull(email, '')"
  /// The sums as in `EUR invoice 3 119.00;EUR credit-note 1 0`.
  private static let sums =
    "group_concat(currency || ' ' || type || ' ' || count || ' ' || due, ';')"
  /// Some providers write the amounts of a credit as negative numbers.
  private static let sumColumns = """
    currency, type, count(*) AS count,
    decimal_sum(CASE WHEN type IN ('credit-note', 'bill-credit')
      THEN ltrim(\(Schema.amountDue), '-') ELSE \(Schema.amountDue) END) AS due
    """
  private static let isLive = "invoice.deleted_at IS NULL AND invoice.status <> 'void'"

  private static let sumsByIndex = """
    SELECT \(sums) FROM (
      SELECT \(sumColumns) FROM invoice
      WHERE \(Schema.identifierEnd("invoice.contact_id")) = \(Schema.identifierEnd("contact.id"))
        AND +invoice.contact_id = contact.id AND +invoice.account = contact.account AND \(isLive)
      GROUP BY currency, type)
    """

  private static let sumsOfAll = """
    SELECT account, contact_id, \(sums) AS text FROM (
      SELECT account, contact_id, \(sumColumns) FROM invoice WHERE \(isLive)
      GROUP BY account, contact_id, currency, type)
    GROUP BY account, contact_id
    """

  private static let joinedSums = """
    LEFT JOIN sums ON sums.account = contact.account AND sums.contact_id = contact.id
    """
}
