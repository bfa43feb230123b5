import GRDB
import Models

extension InvoiceQuery {
  /// Returns the keys of the invoices that are found, in their order.
  func keys(_ db: Database) throws -> [InvoiceKey] {
    let (sql, arguments) = try statement(db, selecting: "invoice.row AS row")
    let rows = try Int64.fetchCursor(db, sql: sql, arguments: arguments)
    var keys: [InvoiceKey] = []
    while let row = try rows.next() { keys.append(InvoiceKey(row: row)) }
    return keys
  }

  /// Returns the statement that finds the invoices.
  ///
  /// - Parameter columns: the columns, of which the first is the row; those for the order follow.
  func statement(
    _ db: Database, selecting columns: String = InvoiceReader.columns
  ) throws -> (sql: String, arguments: StatementArguments) {
    let parts = try parts(db)
    var arguments = StatementArguments()
    var isInSearchOrder = false
    let selects = try parts.map { part in
      var filter = try InvoiceFilter(part.query, sort: sort, db)
      for condition in part.conditions { filter.require(condition) }
      if filter.isInSearchOrder, let key = searchKeyCondition { filter.require(key) }
      isInSearchOrder = filter.isInSearchOrder
      arguments += StatementArguments(part.known)
      arguments += filter.arguments
      let order = part.terms.enumerated().map { index, term in
        ", \(index < part.known.count ? "?" : term.expression) AS by_\(term.name)"
      }.joined()
      return "SELECT \(columns)\(order) FROM \(filter.source)\(filter.condition)"
    }
    let row = parts.count > 1 ? "row" : "invoice.row"
    let order =
      isInSearchOrder ? ["invoice_search.rowid"] : orderTerms.map { "by_\($0.name)" } + [row]
    let direction = isAscending ? "ASC" : "DESC"
    var sql =
      selects.joined(separator: " UNION ALL ")
      + " ORDER BY " + order.map { "\($0) \(direction)" }.joined(separator: ", ")
    if limit != nil || offset > 0 {
      // SQLite takes a negative limit for none.
      sql += " LIMIT ? OFFSET ?"
      arguments += [limit ?? -1, offset]
    }
    return (sql, arguments)
  }

  /// The condition that the search index has an invoice after ``after``, by its key.
  private var searchKeyCondition: RowCondition? {
    guard let after, let day = after.values.first else { return nil }
    return RowCondition(
      sql: "invoice_search.rowid \(isAscending ? ">" : "<") (\(Schema.searchKey("?", "?")))",
      arguments: [day, after.row])
  }
}

// The index that finds what a query asks for.
extension InvoiceQuery {
  static let statusIndex = "invoice_by_status"
  static let deletionIndex = "invoice_by_deletion"
  static let dueDateIndex = "invoice_by_due_date"
  static let changeIndex = "invoice_by_updated_at"

  /// The statuses that a matching invoice may have, in the order of their declaration.
  var wantedStatuses: [InvoiceStatus] {
    InvoiceStatus.allCases.filter { status in
      (statuses?.contains(status)
        ?? (includesVoidAndDeleted || ![.void, .deleted].contains(status)))
        && (dueBefore == nil || Self.unpaid.contains(status))
        && !(issuedOnly && Self.unissued.contains(status))
    }
  }

  /// True if the query asks for deleted invoices by their status: all of them, whatever status they
  /// had.
  var asksForDeleted: Bool { statuses != nil && wantedStatuses.contains(.deleted) }

  /// True if the query asks for a contact or for words.
  var asksForWords: Bool {
    !(contact?.isEmpty ?? true) || SearchExpression(search) != nil
  }

  /// Returns whether the query finds only unpaid invoices, in the order of their due dates.
  func isOfDueDates(_ sort: Sort?) -> Bool {
    sort == .dueDate && !includesVoidAndDeleted && Self.unpaid.isSuperset(of: wantedStatuses)
  }

  /// Returns the index that the query has to use; `nil` if SQLite finds the right one.
  ///
  /// Of an account's invoices, nearly all are paid, if not void: a query for other statuses, or for
  /// some days, matches few. Any other sum over an account reads all of its rows. Most were stored
  /// in the order in which they had changed, so that their pages follow one another: by days, each
  /// row is on another page, which takes five times as long.
  func index(_ sort: Sort?) -> String? {
    guard !asksForWords, sort != .stored else { return nil }
    if asksForDeleted { return wantedStatuses == [.deleted] ? Self.deletionIndex : nil }
    if isOfDueDates(sort) { return Self.dueDateIndex }
    let isOfDays = issuedFrom != nil || issuedThrough != nil
    let isOrdered = sort == .issueDate && statuses?.count == 1
    if isOfDays || isOrdered || !wantedStatuses.contains(.paid) { return Self.statusIndex }
    guard let sort else { return accounts != nil ? Self.changeIndex : nil }
    return sort == .issueDate ? nil : sort.index
  }

  /// Returns the index that has to be used, if there is one and a first sync has created it.
  func existingIndex(_ sort: Sort?, _ db: Database) throws -> String? {
    guard let index = index(sort), try hasIndex(index, db) else { return nil }
    return index
  }

  /// Returns whether an index exists, and the one of deleted invoices, which some parts need.
  func hasIndex(_ index: String, _ db: Database) throws -> Bool {
    try !RecordIndexes(db: db).missing().contains {
      [index, Self.deletionIndex].contains($0.name)
    }
  }

  static let unpaid: Set<InvoiceStatus> = [.open, .partiallyPaid]
  /// The statuses of documents that were never issued, or that do not count any more.
  static let unissued: [InvoiceStatus] = [.draft, .scheduled, .void, .deleted]
}

extension InvoiceQuery.Sort {
  /// The index that has an account's invoices in this order; for days of issue, those of a status.
  var index: String? {
    switch self {
    case .issueDate: InvoiceQuery.statusIndex
    case .dueDate: "invoice_by_any_due_date"
    case .updatedAt: InvoiceQuery.changeIndex
    case .total: "invoice_by_total"
    case .amountDue: "invoice_by_amount_due"
    case .number: "invoice_by_number"
    case .contact: "invoice_by_contact_name"
    case .stored: nil
    }
  }
}
