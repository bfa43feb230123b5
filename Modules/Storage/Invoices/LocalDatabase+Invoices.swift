import Foundation
import GRDB
package import Models

extension LocalDatabase {
  /// The store of invoices, for their sync.
  package var invoiceStore: ResourceStore<Invoice> { invoiceStore(of: .invoices) }

  /// The store of a list of invoices, for its sync.
  package func invoiceStore(of resource: Resource) -> ResourceStore<Invoice> {
    ResourceStore(database: self, resource: resource, table: InvoiceTable.self)
  }

  /// Finds invoices.
  ///
  /// - Throws: ``StorageError``.
  public func invoices(matching query: InvoiceQuery) async throws -> [StoredInvoice] {
    try await read(matching: query) { [pagedKeys] db, query in
      try query.invoices(pagedKeys, db).found
    }
  }

  /// Returns counts and exact sums by status, type and currency, of the invoices that the provider
  /// still lists.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceTotals(account: String?) async throws -> [InvoiceTotals] {
    let found = try await read { db in
      var statuses = GroupedSums<InvoiceStatus>()
      try db.forEachRow(
        sql: """
          SELECT \(GroupedSums<InvoiceStatus>.columns(account: "''", due: Schema.shown("amount_due"))), status
          FROM invoice JOIN account ON account.row = invoice.account
          WHERE (? IS NULL OR account.name = ?) AND (deleted_at IS NULL OR status = 'deleted')
          """, arguments: [account, account]
      ) { row in try statuses.add(&row) { row, _ in try row.word() } }
      return statuses.sums
    }
    return found.map { key, sums in
      InvoiceTotals(
        status: key.group, type: key.type, currency: key.currency, count: sums.count,
        total: sums.total, amountDue: sums.amountDue)
    }.sorted { left, right in
      (left.status.rawValue, left.type.rawValue, left.currency.code)
        < (right.status.rawValue, right.type.rawValue, right.currency.code)
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await StorageError.translating(path) {
      isInMemory ? try await useMemory(body) : try await pool.read(body)
    }
  }
}

extension LocalDatabase {
  /// Calls a function with each invoice that a query finds, however many, as of one moment.
  ///
  /// - Parameters:
  ///   - query: selects and orders the invoices.
  ///   - body: the function; it runs on a thread that it may block, and the reading waits for it.
  ///     An error that it throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func forEachInvoice(
    matching query: InvoiceQuery, _ body: @escaping @Sendable (StoredInvoice) throws -> Void
  ) async throws {
    try await read(matching: query) { db, query in
      let (sql, arguments) = try query.statement(db)
      let reader = try InvoiceReader(db, query)
      try db.forEachRow(sql: sql, arguments: arguments) { row in
        try body(try reader.stored(&row))
      }
    }
  }
}

extension LocalDatabase {
  /// Returns the number of invoices, void and deleted ones included.
  ///
  /// - Parameter account: the account; `nil` for all.
  /// - Throws: ``StorageError``.
  public func invoiceCount(account: String?) async throws -> Int {
    if let account { return try await invoiceCounts(accounts: [account])[account] ?? 0 }
    return try await read { db in
      try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM invoice")) ?? 0
    }
  }

  /// Returns the number of invoices that a query finds; its limit is ignored.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceCount(matching query: InvoiceQuery) async throws -> Int {
    try await read(matching: query) { db, query in
      let filter = try InvoiceFilter(query, sort: nil, db)
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(filter.source)\(filter.condition)",
        arguments: filter.arguments) ?? 0
    }
  }
}

extension LocalDatabase {
  /// Returns the numbers of an account's invoices that start with a text, in their order.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceNumbers(
    startingWith prefix: String, account: String, limit: Int
  ) async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT number FROM invoice
          WHERE account = (SELECT row FROM account WHERE name = ?)
            AND number >= ? AND number < ? AND deleted_at IS NULL
          ORDER BY number LIMIT ?
          """, arguments: [account, prefix, prefix + "\u{10FFFF}", limit])
    }
  }
}

extension LocalDatabase {
  /// Returns the only invoice that ``invoices(named:account:)`` finds; `nil` if there is none, or
  /// if there are several.
  ///
  /// - Throws: ``StorageError``.
  public func invoice(_ idOrNumber: String, account: String?) async throws -> StoredInvoice? {
    let found = try await invoices(named: idOrNumber, account: account)
    return found.count == 1 ? found.first : nil
  }

  /// Finds the invoices with an identifier, or else those with a number, each with its
  /// ``StoredInvoice/balance``.
  ///
  /// If there are none, it finds those whose identifier or number differs in case only, or else
  /// those whose identifier starts with the text, if it has eight characters or more. If there are
  /// several, such as a document that was created again, deleted ones are left out unless all are
  /// deleted.
  ///
  /// - Returns: at most ten invoices.
  /// - Throws: ``StorageError``.
  public func invoices(
    named idOrNumber: String, account: String?
  ) async throws -> [StoredInvoice] {
    try await read { db in
      let reader = try InvoiceReader(db, isWhole: true)
      for (condition, text) in Self.conditions(named: idOrNumber) {
        let found = try db.allRows(
          sql: Self.statement(where: condition), arguments: [text, account, account]
        ) { try reader.stored(&$0) }
        guard !found.isEmpty else { continue }
        let live = found.filter { $0.deletedAt == nil }
        let balances = try BalanceReader(db)
        return try (live.isEmpty ? found : live).map { stored in
          var stored = stored
          stored.balance = try balances.balance(of: stored)
          return stored
        }
      }
      return []
    }
  }

  /// Returns the conditions to try, the most exact first.
  ///
  /// Only the first two have an index for the text itself; the others read the index of an account.
  private static func conditions(named text: String) -> [(condition: String, text: String)] {
    var conditions = [
      (condition(on: "id"), text), (condition(on: "number"), text),
      ("(invoice.id = ?1 COLLATE NOCASE OR invoice.number = ?1 COLLATE NOCASE)", text),
    ]
    if let short = ShortIdentifier(text) {
      conditions.append(("invoice.id GLOB ?1", short.pattern))
    }
    return conditions
  }

  static func condition(on column: String) -> String { "invoice.\(column) = ?1" }

  /// Returns the statement that finds invoices in each account or in one.
  static func statement(where condition: String) -> String {
    """
    SELECT \(InvoiceReader.columns) FROM account
    CROSS JOIN invoice ON invoice.account = account.row
    WHERE \(condition) AND (?2 IS NULL OR account.name = ?3)
    ORDER BY invoice.deleted_at IS NOT NULL LIMIT 10
    """
  }
}

/// The beginning of an identifier, as lists show it in place of a name.
struct ShortIdentifier {
  /// The pattern for `GLOB`.
  let pattern: String

  /// - Returns: `nil` for a text that is too short, or that no identifier begins with.
  init?(_ text: String) {
    guard text.count >= LocalDatabase.shortestPrefix,
      !text.contains(where: { $0.isWhitespace || "*?[".contains($0) })
    else { return nil }
    pattern = text + "*"
  }

  /// Creates the beginning of an identifier that is no word of a name: it has a digit.
  init?(orName text: String) {
    guard text.contains(where: \.isNumber) else { return nil }
    self.init(text)
  }
}

extension LocalDatabase {
  /// The length of a shortened identifier, as lists show it.
  package static let shortestPrefix = 8
}
