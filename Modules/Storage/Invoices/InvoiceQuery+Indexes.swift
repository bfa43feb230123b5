import GRDB
import Models

// The index that finds what a query asks for.
extension InvoiceQuery {
  static let statusIndex = "invoice_by_status"
  static let deletionIndex = "invoice_by_deletion"
  static let dueDateIndex = "invoice_by_due_date"
  static let changeIndex = "invoice_by_updated_at"

  /// The statuses that a matching invoice may have, in the order of their declaration.
  var wantedStatuses: [InvoiceStatus] {
    InvoiceStatus.allCases.filter { status in
      (statuses?.contains(status)
        ?? (includesVoidAndDeleted || ![.void, .deleted].contains(status)))
        && (dueBefore == nil || Self.unpaid.contains(status))
    }
  }

  /// True if the query asks for deleted invoices by their status: all of them, whatever status they
  /// had.
  var asksForDeleted: Bool { statuses != nil && wantedStatuses.contains(.deleted) }

  /// True if the query asks for a contact or for words.
  var asksForWords: Bool {
    !(contact?.isEmpty ?? true) || SearchExpression(search) != nil
  }

  /// Returns whether the query finds only unpaid invoices, in the order of their due dates.
  func isOfDueDates(_ sort: Sort?) -> Bool {
    sort == .dueDate && !includesVoidAndDeleted && Self.unpaid.isSuperset(of: wantedStatuses)
  }

  /// Returns the index that the query has to use; `nil` if SQLite finds the right one.
  ///
  /// Of an account's invoices, nearly all are paid, if not void: a query for other statuses, or for
  /// some days, matches few. Any other sum over an account reads all of its rows. Most were stored
  /// in the order in which they had changed, so that their pages follow one another: by days, each
  /// row is on another page, which takes five times as long.
  func index(_ sort: Sort?) -> String? {
    guard !asksForWords, sort != .stored else { return nil }
    if asksForDeleted { return wantedStatuses == [.deleted] ? Self.deletionIndex : nil }
    if isOfDueDates(sort) { return Self.dueDateIndex }
    let isOfDays = issuedFrom != nil || issuedThrough != nil
    let isOrdered = sort == .issueDate && statuses?.count == 1
    if isOfDays || isOrdered || !wantedStatuses.contains(.paid) { return Self.statusIndex }
    return sort == nil && accounts != nil ? Self.changeIndex : nil
  }

  /// Returns the index that has to be used, if there is one and a first sync has created it.
  func existingIndex(_ sort: Sort?, _ db: Database) throws -> String? {
    guard let index = index(sort),
      try !InvoiceIndexes(db: db).missing().contains(where: { $0.name == index })
    else { return nil }
    return index
  }

  static let unpaid: Set<InvoiceStatus> = [.open, .partiallyPaid]
}
