import GRDB
import Models

extension LocalDatabase {
  /// Returns exact sums over invoices: by month, by age, and by contact, each account and each
  /// currency apart.
  ///
  /// All are of one moment, even while a sync writes. Invoices are added up in the database, so
  /// that a report takes the same memory however many there are.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceReport(_ query: InvoiceReportQuery) async throws -> InvoiceReport {
    try await read { db in
      try InvoiceReportReader(db: db, statements: try InvoiceReportStatements(query, db)).report()
    }
  }
}

/// The reader of a report, inside a transaction.
private struct InvoiceReportReader {
  private struct Key: Hashable {
    let account: String
    let currency: Currency
    let side: InvoiceReportSide
  }

  let db: Database
  let statements: InvoiceReportStatements

  func report() throws -> InvoiceReport {
    var sections: [Key: InvoiceReportSection] = [:]
    try forEach(statements.months) { key, row in
      var paid = try sum(row["paid"])
      paid.add(try sum(row["credited"]).negated)
      let month = InvoiceReportMonth(
        month: (row["month"] as String?).flatMap { CalendarMonth($0) }, count: row["count"],
        invoiced: try sum(row["invoiced"]), paid: paid)
      sections[key, default: section(key)].months.append(month)
    }
    try forEach(statements.payments) { key, row in
      sections[key]?.payments.append(
        InvoiceReportPayments(
          month: (row["month"] as String?).flatMap { CalendarMonth($0) }, count: row["count"],
          paid: try sum(row["paid"])))
    }
    try forEach(statements.ageing) { key, row in
      let age = try StoredValue.required(DueAge.at(row["age"]))
      sections[key]?.ageing.append(
        InvoiceReportAgeing(age: age, count: row["count"], due: try sum(row["due"])))
    }
    try forEach(statements.onAccount) { key, row in
      let age = try StoredValue.required(DueAge.at(row["age"]))
      sections[key]?.add(onAccount: try sum(row["due"]), of: age)
    }
    try forEach(statements.contacts) { key, row in
      sections[key]?.contactCount = row["parties"]
      sections[key]?.contacts.append(
        InvoiceReportContact(
          id: row["contact_id"], name: row["known_name"], count: row["count"],
          invoiced: try sum(row["invoiced"])))
    }
    try forEach(statements.unpaid) { key, row in
      sections[key]?.unpaid.append(try unpaid(row))
    }
    let ends: [Int64] = try fetchAll(statements.syncedAt)
    let syncedAt = ends.first.map(Timestamp.init(microsecondsSinceEpoch:))
    return InvoiceReport(
      day: statements.query.day, accounts: try fetchAll(statements.accounts),
      syncedAt: syncedAt,
      sections: inOrder(sections), omittedCounts: try omittedCounts())
  }

  private func omittedCounts() throws -> [InvoiceStatus: Int] {
    let statement = statements.omitted
    var counts: [InvoiceStatus: Int] = [:]
    for row in try Row.fetchAll(db, sql: statement.sql, arguments: statement.arguments) {
      let status = try StoredValue.required(InvoiceStatus(rawValue: row["reason"]))
      counts[status] = row["count"]
    }
    return counts
  }

  private func section(_ key: Key) -> InvoiceReportSection {
    InvoiceReportSection(account: key.account, currency: key.currency, side: key.side)
  }

  private func inOrder(_ sections: [Key: InvoiceReportSection]) -> [InvoiceReportSection] {
    func rank(_ section: InvoiceReportSection) -> (String, Int, String, Int) {
      let count = InvoiceReportSide.allCases.compactMap { side in
        sections[Key(account: section.account, currency: section.currency, side: side)]?.count
      }.reduce(0, +)
      return (section.account, -count, section.currency.code, section.side.rawValue)
    }
    return sections.values.sorted { rank($0) < rank($1) }
  }

  private func unpaid(_ row: Row) throws -> InvoiceReportUnpaid {
    InvoiceReportUnpaid(
      account: row["account_name"], id: row["id"], number: row["number"],
      type: try StoredValue.required(InvoiceType(rawValue: row["type"])), contact: row["party"],
      contactID: row["contact_id"],
      issueDate: StoredValue.day(row["issue_date"]), dueDate: StoredValue.day(row["due_date"]),
      total: try StoredValue.required(ExactDecimal(row["total"])),
      due: try StoredValue.decimal(row["due"]))
  }

  private func sum(_ text: String) throws -> DecimalSum {
    try StoredValue.required(DecimalSum(text))
  }

  private func forEach(
    _ statement: InvoiceReportStatements.Statement, _ body: (Key, Row) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(db, sql: statement.sql, arguments: statement.arguments)
    while let row = try rows.next() {
      let key = Key(
        account: row["account_name"],
        currency: try StoredValue.required(Currency(code: row["currency"])),
        side: try StoredValue.required(InvoiceReportSide(rawValue: row["side"])))
      try body(key, row)
    }
  }

  private func fetchAll<Value: DatabaseValueConvertible>(
    _ statement: InvoiceReportStatements.Statement
  ) throws -> [Value] {
    try Value.fetchAll(db, sql: statement.sql, arguments: statement.arguments)
  }
}
