import GRDB

/// A page of a list of payments.
public struct PaymentPage: Sendable, Equatable {
  /// The payments, as many as the query's limit allows.
  public let payments: [StoredPayment]
  /// The position after which the next page begins, for ``PaymentQuery/after``; `nil` if this is
  /// the last page, or if the query has no limit.
  public let next: RowPosition?
}

extension LocalDatabase {
  /// Returns a page of the payments that a query finds, and the position of the next one.
  ///
  /// Payments come as invoices do in ``invoicePage(matching:)``. One that only its invoice has
  /// counts as changed whenever the invoice is.
  ///
  /// - Throws: ``StorageError``; `CancellationError` if the task is cancelled.
  public func paymentPage(matching query: PaymentQuery) async throws -> PaymentPage {
    try await read { db in
      let reader = try PaymentReader(db, namesDocuments: query.namesDocuments)
      let (sql, arguments) = query.statement()
      var last: (row: Int64, values: [DatabaseValue])?
      let payments = try db.allRows(sql: sql, arguments: arguments) { row in
        let payment = try reader.stored(&row)
        if let number = row.first {
          last = (number, query.orderTerms.map { _ in row.value() })
        }
        return payment
      }
      let isLast = query.limit.map { payments.count < $0 } ?? true
      let next = isLast ? nil : last
      return PaymentPage(
        payments: payments,
        next: next.map { RowPosition(order: query.order, row: $0.row, values: $0.values) })
    }
  }
}

extension PaymentQuery {
  /// The values that order the payments, the first decides; the row breaks ties.
  var orderTerms: [OrderTerm] {
    let least = OrderTerm.leastNumber
    switch sort {
    case .date: return [OrderTerm("date", "payment.date")]
    case .amount:
      return [
        OrderTerm("currency", "payment.currency", isNullable: false),
        OrderTerm(
          "amount_number", "CAST(payment.amount AS REAL)", isNullable: false, least: least),
      ]
    case .updatedAt: return [OrderTerm("updated_at", "payment.updated_at", least: least)]
    case .contact:
      return [OrderTerm("shown_contact", "\(PaymentReader.contactName) COLLATE NOCASE")]
    case .stored: return []
    }
  }

  /// The order as one word: the name of its key, after a minus if the largest come first.
  var order: String { "payments:\(isAscending ? "" : "-")\(sort.rawValue)" }
}
