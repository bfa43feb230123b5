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
    /// A part of a credit note that was paid out.
    case refund
  }

  let kind: Kind
  let id: String
  let date: CalendarDate?
  /// The amount that settles the invoice, or of a refund the credit note.
  let amount: ExactDecimal
  let invoice: LedgerInvoice
  let updatedAt: Timestamp
  /// The part of a credit, or of money on account, that settles nothing yet.
  var rest = ExactDecimal.zero
  /// The part of a credit note that was paid out.
  var refunded = ExactDecimal.zero
  /// The credit note that a refund pays out.
  var creditNoteID: String?
  /// True if it was cancelled itself.
  var isCancelled = false

  var number: String { Self.number(kind, id) }

  /// The amount of the whole credit, or of the money that came.
  var total: ExactDecimal { ExactDecimal.sum([amount, rest, refunded]) ?? amount }

  /// True if it settles nothing any more: it was cancelled, or its invoice was voided or deleted.
  var isVoid: Bool { isCancelled || !invoice.isLive }

  static func number(_ kind: Kind, _ id: String) -> String {
    "\(kind == .creditNote ? "CN" : "P")-\(id.prefix(8))"
  }

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
    let kinds: [Kind] = [.creditNote, .prepayment, .overpayment]
    if !invoice.amountCredited.isZero {
      parts.append((kinds[random.below(kinds.count)], invoice.amountCredited))
    }
    let settlements = parts.map { kind, amount in
      LedgerSettlement(
        kind: kind, id: random.identifier(), date: day, amount: amount, invoice: invoice,
        updatedAt: invoice.updatedAt)
    }
    return invoice.isVaried ? varied(settlements, of: invoice, using: &random) : settlements
  }

  /// Splits credits, leaves a part of them free or pays it out, and adds what was cancelled.
  private static func varied(
    _ settlements: [LedgerSettlement], of invoice: LedgerInvoice, using random: inout SplitMix64
  ) -> [LedgerSettlement] {
    let day = invoice.fullyPaidOn ?? invoice.date
    func settlement(_ kind: Kind, _ amount: ExactDecimal) -> LedgerSettlement {
      LedgerSettlement(
        kind: kind, id: random.identifier(), date: day, amount: amount, invoice: invoice,
        updatedAt: invoice.updatedAt)
    }
    var parts: [LedgerSettlement] = []
    for part in settlements {
      guard part.kind != .payment, let share = part.amount.quarter, share > .zero,
        let others = part.amount.subtracting(share)
      else {
        parts.append(part)
        continue
      }
      let amounts = random.chance(40) ? [share, others] : [part.amount]
      for amount in amounts {
        var credit = settlement(amounts.count == 1 ? part.kind : .creditNote, amount)
        // Drawn whatever the status is, so that identifiers stay the same when it changes.
        var refund = settlement(.refund, share)
        let (hasRest, isPaidOut) = (random.chance(40), random.chance(50))
        if hasRest { credit.rest = share }
        if isPaidOut, credit.kind == .creditNote, invoice.status == .paid || !invoice.isLive {
          credit.refunded = share
          refund.creditNoteID = credit.id
          parts.append(refund)
        }
        parts.append(credit)
      }
    }
    if let share = invoice.total.quarter, share > .zero, random.chance(30) {
      var cancelled = settlement(random.chance(50) ? .payment : .creditNote, share)
      cancelled.isCancelled = true
      parts.append(cancelled)
    }
    return parts
  }

  /// Returns the settlements in the order in which their invoices have changed.
  ///
  /// - Parameter kinds: the kinds to keep; `nil` keeps all.
  static func of(_ invoices: [LedgerInvoice], kinds: Set<Kind>? = nil) -> [LedgerSettlement] {
    invoices.flatMap { of($0).filter { kinds?.contains($0.kind) ?? true } }
      .sorted { ($0.updatedAt, $0.id) < ($1.updatedAt, $1.id) }
  }

  /// The settlement as the model that is common to all providers, independent of the sync engine as
  /// ``LedgerInvoice/model``.
  func payment(rawStatus: String, status: PaymentStatus) -> Payment? {
    guard let currency = Currency(code: invoice.currencyCode) else { return nil }
    var payment = Payment(
      id: id, type: type, status: status, rawStatus: rawStatus, currency: currency, amount: total)
    payment.date = date
    payment.reference = number
    (payment.contactID, payment.contactName) = (invoice.contact.id, invoice.contact.name)
    payment.updatedAt = updatedAt
    payment.allocations = [
      Allocation(
        invoiceID: creditNoteID ?? invoice.id,
        invoiceNumber: creditNoteID.map { Self.number(.creditNote, $0) } ?? invoice.number,
        date: date, amount: amount)
    ]
    return payment
  }

  private var type: PaymentType {
    switch (kind, invoice.isPurchase) {
    case (.refund, false): .refund
    case (.refund, true): .supplierRefund
    case (_, false): .receipt
    case (_, true): .payment
    }
  }

  /// The credit note as a document of the ledger; `nil` for anything else.
  var note: LedgerInvoice? {
    guard kind == .creditNote else { return nil }
    var note = invoice
    note.kind = invoice.isPurchase ? .billCredit : .saleCredit
    (note.id, note.number, note.reference) = (id, number, nil)
    (note.date, note.dueDate, note.fullyPaidOn) = (date, nil, nil)
    if isCancelled { note.status = .void }
    if note.isLive { note.status = rest.isZero ? .paid : .open }
    note.taxBasis = .noTax
    (note.lines, note.totalTax) = ([], .zero)
    (note.subTotal, note.total, note.amountCredited) = (total, total, .zero)
    note.amountDue = isVoid ? .zero : rest
    note.amountPaid = isVoid ? .zero : amount.adding(refunded) ?? amount
    note.isVaried = false
    return note
  }
}

extension ExactDecimal {
  /// A quarter of the amount, without more decimals than it has.
  fileprivate var quarter: ExactDecimal? {
    ExactDecimal(coefficient: coefficient / 4, scale: scale)
  }
}
