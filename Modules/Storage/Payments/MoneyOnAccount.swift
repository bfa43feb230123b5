import Models

/// The parts of payments that pay no document yet.
enum MoneyOnAccount {
  /// The payments that have such a part and count.
  static var payments: PaymentQuery {
    var query = PaymentQuery()
    query.statuses = Set(PaymentStatus.allCases.filter(\.counts))
    query.isUnallocated = true
    return query
  }

  /// The rows, for the conditions of ``payments``; payments that invoices hold have no such part.
  static let source = "payment JOIN account ON account.row = payment.account"

  /// The amount by which it changes what is due: below zero, unless the money went back.
  static let due = """
    iif(payment.type IN ('refund', 'supplier-refund'), '', '-') || payment.unallocated_amount
    """

  /// Returns the expression for the side of the books that a row belongs to.
  static func side(_ table: String) -> String {
    "(\(table).type IN ('bill', 'bill-credit', 'payment', 'supplier-refund'))"
  }
}

extension InvoiceQuery {
  /// The payments whose parts on account count beside the invoices that the query finds; `nil` if
  /// it asks for what no money has.
  var moneyOnAccount: PaymentQuery? {
    let hasStatuses = statuses.map { !$0.isSuperset(of: Self.unpaid) } ?? false
    guard types == nil, !hasStatuses, SearchExpression(search) == nil, minimumTotal == nil,
      maximumTotal == nil, changedSince == nil
    else { return nil }
    var money = MoneyOnAccount.payments
    (money.accounts, money.currencies, money.contact) = (accounts, currencies, contact)
    (money.from, money.through) = (issuedFrom, issuedThrough)
    if let dueBefore {
      // Days are texts of one length, so that they compare as texts.
      let last = CalendarDate(daysSinceEpoch: dueBefore.daysSinceEpoch - 1)
      money.through = [issuedThrough, last].compactMap(\.self).min {
        $0.description < $1.description
      }
    }
    return money
  }
}
