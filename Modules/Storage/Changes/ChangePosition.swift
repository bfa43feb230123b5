public import Models

/// A place in the order in which the records of a database have changed.
///
/// It is valid for as long as the database exists, in any process; its text can be stored.
public struct ChangePosition: Sendable, Hashable, CustomStringConvertible {
  /// The identity of the database, as a UUID.
  public let database: String
  /// The number of the commit.
  public let change: Int64
  /// The place in a reading that goes on; `nil` after all changes.
  let place: Place?

  struct Place: Sendable, Hashable {
    /// The kind of the last record that was read, by number; see ``ChangeReader``.
    let kind: Int
    /// The row of that record.
    let row: Int64
    /// The number after which the reading began; 0 for a reading of all records.
    let origin: Int64
    /// The number of the last commit when the reading began.
    let last: Int64
  }

  /// Creates the position after everything that a commit changed.
  package init(database: String, change: Int64) {
    self.init(database: database, change: change, place: nil)
  }

  init(database: String, change: Int64, place: Place?) {
    (self.database, self.change, self.place) = (database, change, place)
  }

  /// Reads a position from its text; `nil` if the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts.dropFirst().compactMap { Int64($0) }
    guard let database = parts.first, !database.isEmpty, numbers.count == parts.count - 1,
      [1, 5].contains(numbers.count), numbers.allSatisfy({ $0 >= 0 })
    else { return nil }
    let place =
      numbers.count == 1
      ? nil
      : Place(kind: Int(numbers[1]), row: numbers[2], origin: numbers[3], last: numbers[4])
    self.init(database: database, change: numbers[0], place: place)
  }

  /// The text, which ``init(_:)`` reads.
  public var description: String {
    "\(database):\(change)"
      + (place.map { ":\($0.kind):\($0.row):\($0.origin):\($0.last)" } ?? "")
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

  /// The kind of the lists whose records these are; `nil` for accounts, which every list has.
  var resourceKind: Resource.Kind? {
    switch self {
    case .account: nil
    case .contact: .contacts
    case .invoice: .invoices
    case .payment: .payments
    }
  }
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
