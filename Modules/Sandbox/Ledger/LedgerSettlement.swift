import Models

/// A payment of an invoice, or a credit that is set against it.
///
/// The books hold the sums alone; these are what they are made of, always the same for an invoice.
struct LedgerSettlement: Sendable, Hashable {
  enum Kind: Sendable, CaseIterable {
    case payment
    case creditNote
    case prepayment
    case overpayment
  }

  let kind: Kind
  let id: String
  let date: CalendarDate?
  let amount: ExactDecimal
  let invoice: LedgerInvoice
  let updatedAt: Timestamp

  var number: String { "\(kind == .creditNote ? "CN" : "P")-\(id.prefix(8))" }

  /// True if the invoice was voided or deleted, so that nothing is settled any more.
  var isVoid: Bool { !invoice.isLive }

  /// Returns the settlements of an invoice, whose amounts are what it counts as paid and credited.
  static func of(_ invoice: LedgerInvoice) -> [LedgerSettlement] {
    var random = SplitMix64(seed: SplitMix64.hash(of: invoice.id))
    let day = invoice.fullyPaidOn ?? invoice.date
    var parts: [(Kind, ExactDecimal)] = []
    if !invoice.amountPaid.isZero {
      let first = random.chance(25) ? invoice.amountPaid.quarter : nil
      parts += [first, first.flatMap { invoice.amountPaid.subtracting($0) } ?? invoice.amountPaid]
        .compactMap(\.self).map { (.payment, $0) }
    }
    if !invoice.amountCredited.isZero {
      let kinds: [Kind] = [.creditNote, .prepayment, .overpayment]
      parts.append((kinds[random.below(kinds.count)], invoice.amountCredited))
    }
    return parts.map { kind, amount in
      LedgerSettlement(
        kind: kind, id: random.identifier(), date: day, amount: amount, invoice: invoice,
        updatedAt: invoice.updatedAt)
    }
  }

  /// Returns the settlements in the order in which their invoices have changed.
  ///
  /// - Parameter kind: the kind to keep; `nil` keeps all.
  static func of(_ invoices: [LedgerInvoice], kind: Kind? = nil) -> [LedgerSettlement] {
    invoices.flatMap { of($0).filter { kind == nil || $0.kind == kind } }
      .sorted { ($0.updatedAt, $0.id) < ($1.updatedAt, $1.id) }
  }

  /// The settlement as the model that is common to all providers, independent of the sync engine as
  /// ``LedgerInvoice/model``.
  func payment(rawStatus: String, status: PaymentStatus) -> Payment? {
    guard let currency = Currency(code: invoice.currencyCode) else { return nil }
    var payment = Payment(
      id: id, type: invoice.isPurchase ? .payment : .receipt, status: status, rawStatus: rawStatus,
      currency: currency, amount: amount)
    payment.date = date
    payment.reference = number
    (payment.contactID, payment.contactName) = (invoice.contact.id, invoice.contact.name)
    payment.updatedAt = updatedAt
    payment.allocations = [
      Allocation(
        invoiceID: invoice.id, invoiceNumber: invoice.number, date: date, amount: amount)
    ]
    return payment
  }
}

extension ExactDecimal {
  /// A quarter of the amount, without more decimals than it has.
  fileprivate var quarter: ExactDecimal? {
    ExactDecimal(coefficient: coefficient / 4, scale: scale)
  }
}
