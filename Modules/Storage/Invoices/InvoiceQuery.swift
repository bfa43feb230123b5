public import Models

/// A query for invoices: a filter and an order.
public struct InvoiceQuery: Sendable, Equatable {
  /// The orders of invoices.
  public enum Sort: String, Sendable, CaseIterable {
    /// The day of issue, then the day payment is due; with ``InvoiceQuery/search`` the day of issue
    /// alone.
    case issueDate
    /// The day payment is due.
    case dueDate
    /// The last change at the provider.
    case updatedAt
    /// The currency, then the total as a number, to 15 digits.
    case total
    /// The currency, then the amount due as a number, to 15 digits; invoices of which nothing is
    /// due come first.
    case amountDue
    /// The number, as text.
    case number
    /// The other party's name.
    case contact
    /// The order in which they were first stored, which needs no sorting.
    case stored
  }

  /// The accounts, or `nil` for all.
  public var accounts: [String]?
  /// The only account; `nil` if there are several, or all.
  public var account: String? {
    get { accounts?.count == 1 ? accounts?.first : nil }
    set { accounts = newValue.map { [$0] } }
  }
  /// The statuses, or `nil` for all.
  ///
  /// A deleted invoice counts as deleted, whichever status it had before.
  public var statuses: Set<InvoiceStatus>?
  /// The other party: its identifier, or words of its name, whatever their case and accents; the
  /// last word may be a prefix.
  public var contact: String?
  /// The types, or `nil` for all.
  public var types: Set<InvoiceType>?
  /// The currencies, or `nil` for all.
  public var currencies: Set<Currency>?
  /// The smallest total, in whichever currency.
  public var minimumTotal: ExactDecimal?
  /// The largest total, in whichever currency.
  public var maximumTotal: ExactDecimal?
  /// The first day of issue.
  public var issuedFrom: CalendarDate?
  /// The last day of issue.
  public var issuedThrough: CalendarDate?
  /// Words that all stand somewhere in number, contact, reference or lines; the last one may be a
  /// prefix.
  public var search: String?
  /// The day before which unpaid invoices were due.
  public var dueBefore: CalendarDate?
  /// The instant at or after which a sync wrote the invoice last: stored it, changed it, or marked
  /// it as deleted.
  public var changedSince: Timestamp?
  /// True to include void and deleted invoices if no ``statuses`` are named; those that are named
  /// are found in any case.
  public var includesVoidAndDeleted = false
  /// True to leave out drafts, scheduled, void and deleted invoices, whatever else is asked for.
  public var issuedOnly = false
  /// The order.
  public var sort = Sort.issueDate
  /// True to return the smallest first.
  public var isAscending = false
  /// The largest number of invoices, or `nil` for all.
  public var limit: Int?
  /// The number of invoices to skip.
  public var offset = 0
  /// The position after which the invoices are read, of a page in the same order; counts and sums
  /// ignore it.
  public var after: RowPosition?
  /// True to read lines, taxes, payments, attachments, allowances and charges, the contact's
  /// address and the own party too.
  public var includesLines = true
  /// True if words that the search index lacks stand in ``UnindexedWords`` while this is run.
  var hasUnindexedWords = false

  /// Creates a query for all invoices that are neither void nor deleted, the newest first.
  public init() {}

  /// Keeps the invoices of the statuses that the user names, or of all.
  ///
  /// A user who names `void` or `deleted` wants to see those invoices.
  ///
  /// - Parameters:
  ///   - named: the statuses; `nil` if the user names none.
  ///   - includesAll: true if the user wants void and deleted invoices whatever is named.
  public mutating func keep(_ named: Set<InvoiceStatus>?, includesAll: Bool = false) {
    statuses = named
    includesVoidAndDeleted = includesAll || named?.isDisjoint(with: [.void, .deleted]) == false
  }

  /// Keeps the invoices that wait for a payment, of those that the query finds.
  public mutating func keepUnpaid() {
    statuses = (statuses ?? Self.unpaid).intersection(Self.unpaid)
    includesVoidAndDeleted = false
  }
}

/// A stored invoice.
public struct StoredInvoice: Sendable, Equatable {
  /// The account it belongs to.
  public let account: String
  /// The invoice.
  ///
  /// If the provider names its contact by identifier only, it has the name of the synced contact.
  public internal(set) var invoice: Invoice
  /// The time at which its deletion at the provider was noticed.
  public let deletedAt: Timestamp?
  /// The reason why it counts as deleted, such as `status DELETED`.
  public let deletedReason: String?
  /// The time at which it was last written.
  public let syncedAt: Timestamp
  /// The way in which it has changed since ``InvoiceQuery/changedSince``; `nil` for other queries.
  ///
  /// An invoice that an earlier version of appcore stored first counts as updated.
  public internal(set) var change: RecordChange.Kind?
  /// The parts of its amount due; only invoices that are found by their name or key, and those of a
  /// journal, have it.
  public internal(set) var balance: InvoiceBalance?
}

/// Counts and exact sums of invoices that share status, type and currency.
public struct InvoiceTotals: Sendable, Equatable {
  /// The shared status.
  public let status: InvoiceStatus
  /// The shared type.
  public let type: InvoiceType
  /// The shared currency.
  public let currency: Currency
  /// The number of invoices.
  public let count: Int
  /// The sum of their totals.
  public let total: DecimalSum
  /// The sum of what is due.
  public let amountDue: DecimalSum
}
