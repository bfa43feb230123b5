public import Models

/// A place in the order in which the records of a database have changed.
///
/// It is valid for as long as the database exists, in any process; its text can be stored.
public struct ChangePosition: Sendable, Hashable, CustomStringConvertible {
  /// The identity of the database, as a UUID.
  public let database: String
  /// The number of the commit.
  public let change: Int64
  /// The place of the last record that was read, if others of its commit come after it.
  let record: Record?

  struct Record: Sendable, Hashable {
    /// The place of its kind; see ``ChangeReader``.
    let kind: Int
    let row: Int64
  }

  /// Creates the position after everything that a commit changed.
  package init(database: String, change: Int64) {
    self.init(database: database, change: change, record: nil)
  }

  init(database: String, change: Int64, record: Record?) {
    (self.database, self.change, self.record) = (database, change, record)
  }

  /// Reads a position from its text; `nil` if the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard [2, 4].contains(parts.count), !parts[0].isEmpty, let change = Int64(parts[1]),
      change >= 0
    else { return nil }
    guard parts.count == 4 else {
      self.init(database: parts[0], change: change)
      return
    }
    guard let kind = Int(parts[2]), let row = Int64(parts[3]) else { return nil }
    self.init(database: parts[0], change: change, record: Record(kind: kind, row: row))
  }

  /// The text, which ``init(_:)`` reads.
  public var description: String {
    "\(database):\(change)" + (record.map { ":\($0.kind):\($0.row)" } ?? "")
  }
}

/// The kinds of records whose changes are numbered.
public enum ChangedKind: String, Sendable, CaseIterable {
  /// An account, with its organisation.
  case account
  /// A contact.
  case contact
  /// An invoice, credit note or bill.
  case invoice
  /// A payment of a list of payments; those that invoices hold themselves are part of them.
  case payment
}

/// A record that has changed, as it is now.
public struct StoredChange: Sendable, Equatable {
  /// The records that change.
  public enum Record: Sendable, Equatable {
    /// An account, with the organisation whose records it holds.
    ///
    /// The source is such as `xero:<tenant>`; the organisation's identifier and name are `nil` if
    /// no sync has learnt them.
    case account(source: String, organisationID: String?, organisation: String?)
    /// A contact.
    case contact(Contact)
    /// An invoice with all that is stored of it.
    case invoice(StoredInvoice)
    /// A payment.
    case payment(StoredPayment)
  }

  /// The kind of record.
  public let kind: ChangedKind
  /// The account it belongs to.
  public let account: String
  /// The provider's identifier of the record; of an account its name.
  public let id: String
  /// The record; `nil` if it is not stored any more, because its account was forgotten or renamed.
  public let record: Record?
  /// The time at which its deletion at the provider was noticed, or at which it was forgotten.
  public let deletedAt: Timestamp?
  /// The reason why it counts as deleted.
  public let deletedReason: String?
  /// The number of the commit that last changed the record itself.
  ///
  /// An invoice or a payment that shows the name of a changed contact comes with its own, older
  /// number.
  public let change: Int64
  /// The position from which the changes after this one are read.
  public let position: ChangePosition
}

/// Changes in their order.
public struct ChangePage: Sendable, Equatable {
  /// The changes, each record once.
  public let changes: [StoredChange]
  /// The position after them, from which the next page is read.
  public let next: ChangePosition
  /// True if there were more changes.
  public let hasMore: Bool
  /// True if the position that was asked for is of another database, or of one that was newer than
  /// this one, such as before a backup was restored: the changes are then all records that there
  /// are, and whatever else the caller has is outdated.
  public let startsOver: Bool
}
