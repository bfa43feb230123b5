import GRDB
import Models

extension ContactQuery {
  /// Returns the statement that finds contacts, with the sums of their invoices as one text.
  ///
  /// The limit applies before the invoices are looked up, each contact's by an index. While a first
  /// sync stores invoices without that index, all are read once instead.
  func statement(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    let isIndexed = try !InvoiceIndexes(db: db).missing().contains {
      $0.columns.contains(Schema.contactIDEnd("contact_id"))
    }
    let (condition, values) = filter
    var arguments = values
    let direction = isAscending ? "ASC" : "DESC"
    let order = (sort.columns + ["contact.row"]).map { "\($0) \(direction)" }.joined(
      separator: ", ")
    var chosen = "SELECT * FROM contact \(condition) ORDER BY \(order)"
    if limit != nil || offset > 0 {
      // SQLite takes a negative limit for none.
      chosen += " LIMIT ? OFFSET ?"
      arguments += [limit ?? -1, offset]
    }
    let sums = isIndexed ? "(\(Self.sumsByIndex))" : "sums.text"
    let sql = """
      \(isIndexed ? "" : "WITH sums AS MATERIALIZED (\(Self.sumsOfAll))")
      SELECT contact.*, account.name AS account_name, \(sums) AS sums
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
      WHERE \(Schema.contactIDEnd("invoice.contact_id")) = \(Schema.contactIDEnd("contact.id"))
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

extension ContactQuery.Sort {
  fileprivate var columns: [String] {
    switch self {
    case .name: ["contact.name COLLATE NOCASE"]
    case .updatedAt: ["contact.updated_at"]
    case .stored: []
    }
  }
}
