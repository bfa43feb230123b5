import Models
import Storage

/// The transactions of one document: the document itself, and whatever has settled it.
///
/// By construction, what is receivable or payable ends at the amount due, as sums have it. What the
/// provider does not explain is posted to an account for that; nothing is invented.
///
/// Amounts are above zero if they have the direction of the document, whichever sign the provider
/// gives them: a total of -24.20 is 24.20 here.
struct DocumentTransactions {
  private struct Settlement {
    let role: JournalAccounts.Role
    let amount: DecimalSum
    /// The day, if the provider states it.
    let day: CalendarDate?
    let note: String
    var tag: (Transaction.Tag, String)?
  }

  private let stored: StoredInvoice
  private let parts: DocumentParts
  /// The day of the document, if the provider states it.
  private let issueDay: CalendarDate?
  private var settlements: [Settlement] = []
  /// The amount that rounds what is due.
  private var rounding = DecimalSum.zero
  /// The part of the total that is not due, and that nothing explains so far.
  private var rest = DecimalSum.zero

  private var invoice: Invoice { stored.invoice }
  private var isCredit: Bool { invoice.type == .creditNote || invoice.type == .billCredit }
  private var isPurchase: Bool { invoice.type == .bill || invoice.type == .billCredit }
  private var isNegative: Bool {
    invoice.total.isZero ? invoice.amountDue?.isNegative == true : invoice.total.isNegative
  }

  /// Returns the transactions of a document, itself first; none if it is no claim, or unknown.
  static func of(_ stored: StoredInvoice, withTexts: Bool = false) -> [Transaction] {
    guard Journal.holds(stored.invoice.status), stored.deletedAt == nil else { return [] }
    var document = DocumentTransactions(stored, withTexts: withTexts)
    document.settle()
    return [document.document] + document.settlements.map(document.transaction)
  }

  private init(_ stored: StoredInvoice, withTexts: Bool) {
    self.stored = stored
    parts = DocumentParts(of: stored.invoice, withTexts: withTexts)
    issueDay = stored.invoice.issueDate?.inJournals
  }
}

// What has settled it.
extension DocumentTransactions {
  private mutating func settle() {
    rest = oriented(invoice.total) - due
    let entries = entries
    for entry in entries { add(entry) }
    func sum(_ kinds: Set<InvoiceBalance.Entry.Kind>) -> DecimalSum {
      entries.filter { kinds.contains($0.kind) }.map(amount).reduce(.zero, +)
    }
    if let paid = invoice.amountPaid.map(stated) {
      let refunds = sum([.refund])
      let beyond = paid - sum([.payment, .refund])
      // Some providers do not subtract refunds.
      if beyond > .zero, refunds.isZero || paid > sum([.payment]) {
        add(.undatedPayments, beyond, "payment")
      }
    }
    let credits = sum([.credit])
    if !isCredit, let credited = invoice.amountCredited.map(stated) {
      // A credit of what was paid already reduces nothing.
      let beyond = min(credited - credits, rest)
      if beyond > .zero { add(.credits, beyond, "credit") }
    }
    if let withheld = invoice.withheldAmount?.magnitude, rest == DecimalSum(withheld) {
      add(.withheldTax, rest, "withheld tax")
    }
    if let stated = invoice.roundingAmount.map(oriented),
      (rest + stated).magnitude < rest.magnitude
    {
      (rounding, rest) = (stated, rest + stated)
    }
    settleRest(credits)
  }

  /// Posts what is left: to the account that the document's status names, or as unexplained.
  private mutating func settleRest(_ credits: DecimalSum) {
    let isPaidByStatus =
      switch invoice.status {
      case .paid, .refunded: true
      case .partiallyPaid: invoice.amountDue != nil
      default: false
      }
    if rest > .zero {
      if invoice.status == .writtenOff {
        add(.badDebts, rest, "written off")
      } else if isCredit {
        add(.credits, rest, "credit")
      } else if invoice.amountPaid == nil, isPaidByStatus {
        add(.undatedPayments, rest, "payment")
      }
    } else if !isCredit, rest < .zero, !(rest.negated > credits) {
      // A part of the credits was paid already, and went back to the contact.
      add(.credits, rest, "credit returned")
    }
    guard !rest.isZero else { return }
    let difference = parts.difference.magnitude
    let used = difference > .tolerance ? .zero : difference
    let role = (rest.magnitude + used).roleOfDifference
    add(role, rest, role.rawValue)
  }

  /// The payments and credits that are stored, by day.
  private var entries: [InvoiceBalance.Entry] {
    let listed = stored.balance?.entries ?? []
    guard listed.count > 1 else { return listed }
    func rank(_ entry: InvoiceBalance.Entry) -> (String, String, String, String) {
      (
        entry.date?.description ?? "", entry.kind.rawValue, entry.id ?? "",
        entry.amount.description
      )
    }
    return listed.sorted { rank($0) < rank($1) }
  }

  private mutating func add(_ entry: InvoiceBalance.Entry) {
    let name = entry.number ?? entry.id
    let day = entry.date?.inJournals
    switch entry.kind {
    case .payment, .refund:
      add(
        day == nil ? .undatedPayments : .payments, amount(of: entry), on: day,
        isCredit == (entry.kind == .refund) ? "payment" : "refund",
        tag: entry.id.map { (.payment, $0) })
    case .credit:
      add(.credits, amount(of: entry), on: day, "credit", tag: name.map { (.credit, $0) })
    case .invoice:
      // As an invoice's side of it, which has the day of the credit note.
      add(
        .credits, amount(of: entry), on: day ?? issueDay, "credit",
        tag: name.map { (.against, $0) })
    // Rounding and withheld tax are those of the document itself.
    case .returned, .rounding, .withheld, .waived: break
    }
  }

  private mutating func add(
    _ role: JournalAccounts.Role, _ amount: DecimalSum, on day: CalendarDate? = nil,
    _ note: String, tag: (Transaction.Tag, String)? = nil
  ) {
    guard !amount.isZero else { return }
    rest = rest - amount
    settlements.append(Settlement(role: role, amount: amount, day: day, note: note, tag: tag))
  }

  /// The amount due, as in every sum: zero unless the document waits for a payment.
  private var due: DecimalSum {
    switch invoice.status {
    case .open: stated(invoice.amountDue ?? invoice.total)
    case .partiallyPaid: stated(invoice.amountDue ?? .zero)
    default: .zero
    }
  }

  private func oriented(_ amount: ExactDecimal) -> DecimalSum {
    DecimalSum(isNegative ? amount.negated : amount)
  }

  /// Returns an amount that settles or is due; of a credit below zero it may have either sign.
  private func stated(_ amount: ExactDecimal) -> DecimalSum {
    isNegative && isCredit ? DecimalSum(amount.magnitude) : oriented(amount)
  }

  private func amount(of entry: InvoiceBalance.Entry) -> DecimalSum {
    guard isNegative, isCredit else { return oriented(entry.amount) }
    return DecimalSum(
      entry.kind == .refund ? entry.amount.magnitude.negated : entry.amount.magnitude
    )
  }
}

// The transactions.
extension DocumentTransactions {
  /// The account of what is receivable or payable.
  private var control: Posting.Place {
    Posting.Place(role: isPurchase ? .payable : .receivable)
  }

  /// True if the document raises what is receivable, or lowers what is payable.
  private var isDebit: Bool { (isPurchase == isCredit) != (isNegative && !isCredit) }

  /// The number and the day payment is due, which all transactions of the document share.
  private var sharedTags: [(Transaction.Tag, String)] {
    let due = invoice.dueDate.map { [(Transaction.Tag.due, $0.description)] } ?? []
    return [(.inv, invoice.number ?? invoice.id)] + due
  }

  private var document: Transaction {
    let day = issueDay ?? settlementDay
    var transaction = Transaction(day: day, note: invoice.type.rawValue.replacing("-", with: " "))
    transaction.tags = sharedTags
    transaction.tags += [(.status, invoice.status.rawValue), (.id, invoice.id)]
    if issueDay == nil { transaction.tags.append((.undated, "")) }
    var postings = parts.parts.filter { !$0.amount.isZero }
    if postings.isEmpty { postings = Array(parts.parts.prefix(1)) }
    if !parts.difference.isZero {
      postings.add(Posting.Place(role: parts.difference.roleOfDifference), parts.difference)
    }
    for index in postings.indices where isNegative {
      postings[index].amount = postings[index].amount.negated
    }
    if !rounding.isZero { postings.add(Posting.Place(role: .rounding), rounding) }
    transaction.postings = [
      Posting(place: control, amount: signed(oriented(invoice.total) + rounding))
    ]
    for posting in postings {
      transaction.postings.append(
        Posting(place: posting.place, amount: signed(posting.amount.negated), text: posting.text))
    }
    transaction.isDoubtful = issueDay == nil || postings.contains { $0.place.role.isDoubtful }
    return transaction
  }

  private func transaction(of settlement: Settlement) -> Transaction {
    var transaction = Transaction(day: settlement.day ?? settlementDay, note: settlement.note)
    transaction.tags = sharedTags + [settlement.tag].compactMap(\.self)
    if settlement.day == nil { transaction.tags.append((.undated, "")) }
    transaction.isDoubtful = settlement.role.isDoubtful
    transaction.postings = [
      Posting(place: Posting.Place(role: settlement.role), amount: signed(settlement.amount)),
      Posting(place: control, amount: signed(settlement.amount.negated)),
    ]
    return transaction
  }

  /// The day of what the provider states without one.
  private var settlementDay: CalendarDate {
    let updated = invoice.updatedAt?.utcDay
    let days = [invoice.paidDate, updated, invoice.issueDate, invoice.dueDate]
    return days.lazy.compactMap { $0?.inJournals }.first ?? .firstOf1900
  }

  private func signed(_ amount: DecimalSum) -> DecimalSum { isDebit ? amount : amount.negated }
}

extension DecimalSum {
  /// The account of an amount that nothing explains.
  fileprivate var roleOfDifference: JournalAccounts.Role {
    magnitude > .tolerance ? .unexplained : .rounding
  }
}

extension CalendarDate {
  /// The day; `nil` if the programs cannot read it: ledger knows no year before 1400, and what is
  /// before 1900 is a mistake.
  var inJournals: CalendarDate? { self < .firstOf1900 || isPlaceholder ? nil : self }
}
