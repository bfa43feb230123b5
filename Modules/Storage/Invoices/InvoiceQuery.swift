public import Models

/// Which invoices are wanted, and in which order.
public struct InvoiceQuery: Sendable {
  /// What invoices are sorted by.
  public enum Sort: String, Sendable, CaseIterable {
    /// The day of issue; of one day, that when payment is due, but for what is found by ``InvoiceQuery/search``.
    case issueDate
    /// The day payment is due.
    case dueDate
    /// The last change at the provider.
    case updatedAt
    /// The total, as a number.
    case total
    /// The number, as text.
    case number
    /// The other party's name.
    case contact
    /// The order in which they were first stored, which costs nothing.
    case stored
  }

  /// Only of this account.
  public var account: String?
  /// Only with one of these statuses; what is deleted has that one here, whichever it had before.
  public var statuses: Set<InvoiceStatus>?
  /// Only of the party with this identifier, or of those with all of these words in their name, whatever
  /// their case and accents; the last may be the beginning of one.
  public var contact: String?
  /// Only issued on or after this day.
  public var issuedFrom: CalendarDate?
  /// Only issued on or before this day.
  public var issuedThrough: CalendarDate?
  /// Only with all of these words somewhere in number, contact, reference or lines; the last may be
  /// the beginning of one.
  public var search: String?
  /// Only what is open and had to be paid before this day.
  public var dueBefore: CalendarDate?
  /// Whether void and deleted ones are included.
  public var includesVoidAndDeleted = false
  /// What they are sorted by.
  public var sort = Sort.issueDate
  /// Whether the smallest comes first.
  public var isAscending = false
  /// At most so many.
  public var limit: Int?
  /// Whether lines, taxes, payments, attachments, allowances and charges, the contact's address and the own
  /// party are read too.
  public var includesLines = true

  /// Creates a query for everything that is neither void nor deleted, the newest first.
  public init() {}
}

/// An invoice as it is stored.
public struct StoredInvoice: Sendable, Equatable {
  /// The account it belongs to.
  public let account: String
  /// The invoice.
  public let invoice: Invoice
  /// When its deletion at the provider was noticed.
  public let deletedAt: Timestamp?
  /// What said that it was deleted.
  public let deletedReason: String?
  /// When it was last written.
  public let syncedAt: Timestamp
}

/// Counts and exact sums of invoices that share status, type and currency.
public struct InvoiceTotals: Sendable, Equatable {
  /// The shared status.
  public let status: InvoiceStatus
  /// The shared type.
  public let type: InvoiceType
  /// The shared currency.
  public let currency: Currency
  /// How many there are.
  public let count: Int
  /// The sum of their totals.
  public let total: DecimalSum
  /// The sum of what is due.
  public let amountDue: DecimalSum
}
