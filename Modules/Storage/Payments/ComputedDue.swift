import GRDB
package import Models

/// The amount due of an invoice whose provider states neither it nor what was paid or credited: the
/// total, less what has settled it.
///
/// The parts may be in other lists, which are synced after the invoice, so it is computed once they
/// are stored, for sums, orders and exports to have it.
struct ComputedDue: Equatable {
  /// The columns that it replaces; its own are named likewise, such as `computed_due`.
  static let columns = ["amount_paid", "amount_credited", "amount_due"]

  let paid: ExactDecimal
  let credited: ExactDecimal
  let due: ExactDecimal
}

extension ComputedDue {
  /// - Returns: `nil` if nothing is known to have settled the invoice, or an amount is too large.
  init?(of invoice: Invoice, settledBy entries: [InvoiceBalance.Entry]) {
    let (payments, credits) = (
      entries.filter { $0.kind == .payment || $0.kind == .refund },
      entries.filter { $0.kind == .credit || $0.kind == .invoice }
    )
    guard !entries.isEmpty, let paid = ExactDecimal.sum(payments.map(\.amount)),
      let credited = ExactDecimal.sum(credits.map(\.amount)),
      // EN 16931, BT-115.
      let due = invoice.total.subtracting(paid)?.subtracting(credited)?
        .adding(invoice.roundingAmount ?? .zero)
    else { return nil }
    self.init(paid: paid, credited: credited, due: due)
  }
}

extension LocalDatabase {
  /// Computes what is due on the unpaid invoices of an account whose provider does not state it,
  /// once a sync has changed records.
  ///
  /// While a first sync stores payments without their indexes, or builds the search index beside
  /// the rows, it does nothing: the end of its last list computes them. A row that changes would
  /// make that index useless.
  ///
  /// - Parameter instant: the time that is recorded with the invoices that it changes.
  /// - Throws: ``StorageError``.
  package func computeDues(account: String, at instant: Timestamp) async throws {
    guard searchBuild.value?.hasBegun != true,
      try await read({ try DueWriter($0, account)?.isBehind() ?? false })
    else { return }
    try await write { try DueWriter($0, account)?.write(at: instant) }
  }

  /// Brings up to date what the lists of an account have left to a last one that was refused.
  ///
  /// - Throws: ``StorageError``, `CancellationError`.
  package func completeLists(of account: String, at instant: Timestamp) async throws {
    // Only a sync that stores builds it.
    let isFirst = searchBuild.value?.hasBegun == true
    try await updateIndexes()
    if isFirst { try await computeDues(account: account, at: instant) }
  }
}

/// Stores what is computed, inside a transaction.
private struct DueWriter {
  private let db: Database
  private let account: Int64

  /// - Returns: `nil` if nothing of the account is stored.
  init?(_ db: Database, _ name: String) throws {
    self.db = db
    let row = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT row FROM account WHERE name = ?"), arguments: [name])
    guard let row else { return nil }
    account = row
  }

  /// Returns whether records have changed since the last computation, and it can be made.
  func isBehind() throws -> Bool {
    let mayDiffer = try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM \(Schema.withoutDue))
            AND dues_change <> (SELECT last FROM change_counter)
          FROM account WHERE row = ?1
          """), arguments: [account])
    guard mayDiffer == true else { return false }
    return try RecordIndexes(db: db).missing().isEmpty
  }

  func write(at instant: Timestamp) throws {
    guard try isBehind() else { return }
    let counter = ChangeCounter(db: db)
    let number = try counter.last() + 1
    let update = try BoundStatement(
      db,
      """
      UPDATE invoice SET computed_paid = ?1, computed_credited = ?2, computed_due = ?3,
        computed_for = iif(?3 IS NULL, NULL, fingerprint), synced_at = ?4, change = ?5
      WHERE row = ?6
      """)
    try update.bind(instant.microsecondsSinceEpoch, at: 4)
    try update.bind(number, at: 5)
    var hasChanges = false
    for (row, due) in try changes() {
      try update.bind(due?.paid.description, at: 1)
      try update.bind(due?.credited.description, at: 2)
      try update.bind(due?.due.description, at: 3)
      try update.bind(row, at: 6)
      try update.run()
      hasChanges = true
    }
    if hasChanges { try counter.advance(to: number) }
    try db.execute(
      sql: "UPDATE account SET dues_change = ? WHERE row = ?",
      arguments: [try counter.last(), account])
  }

  /// Returns the rows whose stored amounts are not those of today.
  private func changes() throws -> [(row: Int64, due: ComputedDue?)] {
    let invoices = try InvoiceRow(db)
    let balances = try BalanceReader(db)
    let rows = try db.allRows(
      sql: """
        SELECT row, computed_for = fingerprint, computed_paid, computed_credited, computed_due
        FROM \(Schema.withoutDue) AND (computed_due IS NOT NULL OR \(Self.maySettle))
        """, arguments: [account]
    ) { values in
      let row = try StoredValue.required(values.integer())
      guard let isCurrent = values.flag() else {
        return (row: row, isCurrent: true, due: ComputedDue?.none)
      }
      let stored = ComputedDue(
        paid: try StoredValue.required(values.decimal()),
        credited: try StoredValue.required(values.decimal()),
        due: try StoredValue.required(values.decimal()))
      return (row: row, isCurrent: isCurrent, due: Optional(stored))
    }
    return try rows.compactMap { stored in
      guard let invoice = try invoices.invoice(row: stored.row) else { return nil }
      let due = ComputedDue(
        of: invoice.invoice, settledBy: try balances.settlements(of: invoice))
      return due != stored.due || !stored.isCurrent ? (stored.row, due) : nil
    }
  }

  /// The condition that there may be something that settles an invoice: most have nothing, and
  /// reading one takes many times as long.
  private static let maySettle = {
    let own = ["invoice_payment", "credit_allocation"].map {
      "\($0) AS part WHERE part.invoice = invoice.row"
    }
    let others = ["payment_allocation", "credit_allocation"].map {
      """
      \($0) AS part WHERE \(Schema.identifierEnd("part.invoice_id")) = \(Schema.identifierEnd("invoice.id"))
        AND +part.invoice_id = invoice.id
      """
    }
    return (own + others).map { "EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " OR ")
  }()
}
