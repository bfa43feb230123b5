public import Models

/// A query for contacts: a filter and an order.
public struct ContactQuery: Sendable {
  /// The orders of contacts.
  public enum Sort: String, Sendable, CaseIterable {
    /// The name, without regard to the case of ASCII letters.
    case name
    /// The last change at the provider.
    case updatedAt
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
  /// The identifier, the first eight characters of it or more, or words of the name or the e-mail
  /// address, whatever their case and accents; the last word may be a prefix.
  public var search: String?
  /// True to include archived contacts.
  public var includesArchived = true
  /// True to include deleted contacts.
  public var includesDeleted = false
  /// The order.
  public var sort = Sort.name
  /// True to return the smallest first.
  public var isAscending = true
  /// The largest number of contacts, or `nil` for all.
  public var limit: Int?
  /// The number of contacts to skip.
  public var offset = 0

  /// Creates a query for all contacts that are not deleted, ordered by name.
  public init() {}
}

/// A stored contact, with what its invoices amount to.
public struct StoredContact: Sendable, Equatable {
  /// The account it belongs to.
  public let account: String
  /// The contact.
  public let contact: Contact
  /// The time at which its deletion at the provider was noticed.
  public let deletedAt: Timestamp?
  /// The reason why it counts as deleted.
  public let deletedReason: String?
  /// The number of its invoices, credit notes and bills that are neither void nor deleted.
  public let invoiceCount: Int
  /// The amounts to be paid, by currency.
  public let balances: [ContactBalance]
}

/// The amounts that are due between a contact and the user in one currency.
public struct ContactBalance: Sendable, Equatable {
  /// The currency.
  public let currency: Currency
  /// The amount due of unpaid invoices, less that of credit notes: what the contact has to pay.
  public internal(set) var receivable = DecimalSum.zero
  /// The amount due of unpaid bills, less that of their credits: what the user has to pay.
  public internal(set) var payable = DecimalSum.zero

  init(_ currency: Currency) { self.currency = currency }

  mutating func add(_ due: DecimalSum, of type: InvoiceType) {
    switch type {
    case .invoice: receivable.add(due)
    case .bill: payable.add(due)
    case .creditNote: receivable.add(due.negated)
    case .billCredit: payable.add(due.negated)
    }
  }
}
