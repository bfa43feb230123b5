import GRDB
import Models

/// The tables and conditions of a query, without its order; a list and a sum over it share them.
struct InvoiceFilter {
  /// The text after `FROM`.
  private(set) var source = "invoice JOIN account ON account.row = invoice.account"
  /// The condition, with `WHERE` before it; empty if there is none.
  var condition: String {
    conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }
  private(set) var arguments = StatementArguments()
  /// True if rows come in the order of the search index, which is by day of issue.
  private(set) var isInSearchOrder = false

  private var conditions: [String] = []

  /// - Parameter sort: the order; `nil` for none.
  init(_ query: InvoiceQuery, sort: InvoiceQuery.Sort?, _ db: Database) throws {
    let party = query.contact.flatMap { $0.isEmpty ? nil : $0 }
    let index = try query.existingIndex(sort, db)
    if let index {
      // Account by account. Without the index's name, SQLite, which has no statistics, uses any
      // index of accounts.
      source = "account CROSS JOIN invoice INDEXED BY \(index) ON invoice.account = account.row"
    }
    if let accounts = query.accounts {
      // The order of the rows needs no index, and parties have an index of their own. Without the
      // unary plus, SQLite would use another index and sort, or read every row.
      let isFound = sort == .stored || party != nil
      let isOne = accounts.count == 1
      let names = isOne ? "= ?" : "IN (\(accounts.map { _ in "?" }.joined(separator: ", ")))"
      let rows = "(SELECT row FROM account WHERE name \(names))"
      require(
        index != nil
          ? "account.name \(names)"
          : "\(isFound ? "+" : "")invoice.account \(isOne ? "=" : "IN") \(rows)",
        StatementArguments(accounts))
    }
    if index == InvoiceQuery.dueDateIndex { require(Schema.isUnpaid, []) }
    require(statusesOf: query, isIndexed: index != nil)
    if let party { try require(party: party, query, db) }
    if let words = SearchExpression(query.search) { try require(words, query, sort, db) }
    requireValues(of: query)
    if let dueBefore = query.dueBefore {
      require("due_date < ?", [dueBefore.description])
    }
    if let changedSince = query.changedSince {
      let instant = changedSince.microsecondsSinceEpoch
      require("(invoice.synced_at >= ? OR invoice.deleted_at >= ?)", [instant, instant])
    }
    if let issuedFrom = query.issuedFrom { require("issue_date >= ?", [issuedFrom.description]) }
    if let issuedThrough = query.issuedThrough {
      require("issue_date <= ?", [issuedThrough.description])
    }
  }

  /// Requires types, currencies and amounts, which are read from the rows that an index finds.
  private mutating func requireValues(of query: InvoiceQuery) {
    if let types = query.types { require("type", oneOf: types.map(\.rawValue).sorted()) }
    if let currencies = query.currencies {
      require("invoice.currency", oneOf: currencies.map(\.code).sorted())
    }
    if let least = query.minimumTotal {
      require("total COLLATE decimal >= ?", [least.description])
    }
    if let most = query.maximumTotal { require("total COLLATE decimal <= ?", [most.description]) }
  }

  private mutating func require(_ column: String, oneOf values: [String]) {
    require(
      "\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))",
      StatementArguments(values))
  }

  mutating func require(_ condition: RowCondition) {
    require(condition.sql, condition.arguments)
  }

  private mutating func require(_ condition: String, _ values: StatementArguments) {
    conditions.append(condition)
    arguments += values
  }

  private mutating func require(statusesOf query: InvoiceQuery, isIndexed: Bool) {
    let isDeletedToo = query.asksForDeleted
    let statuses = query.wantedStatuses.filter { !isDeletedToo || $0 != .deleted }
    let names = StatementArguments(statuses.map(\.rawValue))
    let isOneOfThem = "status IN (\(statuses.map { _ in "?" }.joined(separator: ", ")))"
    guard !isDeletedToo else {
      // Alone, as the partial index of deleted invoices requires.
      return statuses.isEmpty
        ? require("deleted_at IS NOT NULL", [])
        : require("(deleted_at IS NOT NULL OR \(isOneOfThem))", names)
    }
    if isIndexed || statuses.count < InvoiceStatus.allCases.count { require(isOneOfThem, names) }
    if !query.includesVoidAndDeleted || query.statuses != nil || query.issuedOnly {
      require("deleted_at IS NULL", [])
    }
  }

  private mutating func require(
    _ words: SearchExpression, _ query: InvoiceQuery, _ sort: InvoiceQuery.Sort?, _ db: Database
  ) throws {
    if sort == .issueDate, !query.hasUnindexedWords {
      // The search index returns rows in this order, so the first are found without reading the
      // rest.
      source =
        "invoice_search CROSS JOIN invoice ON invoice.row = \(Self.foundRow)"
        + " JOIN account ON account.row = invoice.account"
      isInSearchOrder = true
      require("invoice_search MATCH ?", [try words.text(db)])
    } else {
      let (rows, values) = try Self.rows(with: words, query, db)
      require("invoice.row IN (\(rows))", values)
    }
  }

  /// Returns the statement for the rows that hold words, in the search index or beside it.
  private static func rows(
    with words: SearchExpression, in column: String? = nil, _ query: InvoiceQuery, _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let sql = "SELECT \(foundRow) FROM invoice_search WHERE invoice_search MATCH ?"
    let text = try words.text(db, in: column)
    guard query.hasUnindexedWords else { return (sql, [text]) }
    let name = UnindexedWords.name
    return (
      sql + " UNION ALL SELECT rowid FROM temp.\(name) WHERE \(name) MATCH ?",
      [text, try words.text(db, in: column, vocabulary: UnindexedWords.vocabulary)]
    )
  }

  /// Requires a party, by its identifier, the beginning of it, or words of its name.
  ///
  /// Each way but the beginning has an index, which a condition with `OR` would not use. The unary
  /// plus keeps SQLite from using the whole identifier instead of its end.
  private mutating func require(
    party: String, _ query: InvoiceQuery, _ db: Database
  ) throws {
    var rows = """
      SELECT row FROM invoice
      WHERE \(Schema.identifierEnd("contact_id")) = \(Schema.identifierEnd("?")) AND +contact_id = ?
      """
    var values: StatementArguments = [party, party]
    if let short = ShortIdentifier(orName: party) {
      rows += " UNION SELECT row FROM invoice WHERE contact_id GLOB ?"
      values += [short.pattern]
    }
    if let name = SearchExpression(party) {
      let found = try Self.rows(with: name, in: "contact", query, db)
      rows += " UNION " + found.sql
      values += found.arguments
      rows += " UNION " + Self.rowsByContact
      values += [party]
    }
    require("invoice.row IN (\(rows))", values)
  }

  /// The rows whose contact is named by identifier only, found by the contact's own name.
  private static let rowsByContact = """
    SELECT invoice.row FROM contact CROSS JOIN invoice
      ON \(Schema.identifierEnd("invoice.contact_id")) = \(Schema.identifierEnd("contact.id"))
      AND +invoice.contact_id = contact.id AND +invoice.account = contact.account
    WHERE +invoice.contact_name IS NULL AND has_words(contact.name, ?)
    """

  private static let foundRow = "invoice_search.rowid & \((1 << SearchIndex.rowBits) - 1)"
}
