import GRDB

extension LocalDatabase {
  /// Returns the only invoice that ``invoices(named:account:)`` finds; `nil` if there is none, or
  /// if there are several.
  ///
  /// - Throws: ``StorageError``.
  public func invoice(_ idOrNumber: String, account: String?) async throws -> StoredInvoice? {
    let found = try await invoices(named: idOrNumber, account: account)
    return found.count == 1 ? found.first : nil
  }

  /// Finds the invoices with an identifier, or else those with a number.
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
        let live = found.filter { $0.deletedAt == nil }
        if !found.isEmpty { return live.isEmpty ? found : live }
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
