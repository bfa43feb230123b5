import Models

// Which index finds what a query asks for.
extension InvoiceQuery {
  static let statusIndex = "invoice_by_status"
  static let deletionIndex = "invoice_by_deletion"
  static let dueDateIndex = "invoice_by_due_date"

  /// The statuses that what is wanted may have, in the order that they are declared in.
  var wantedStatuses: [InvoiceStatus] {
    InvoiceStatus.allCases.filter { status in
      statuses?.contains(status) ?? true
        && (includesVoidAndDeleted || ![.void, .deleted].contains(status))
        && (dueBefore == nil || Self.unpaid.contains(status))
    }
  }

  /// Whether what is deleted is asked for by that name: all of it, whichever status it had.
  var asksForDeleted: Bool { statuses != nil && wantedStatuses.contains(.deleted) }

  /// Whether what is wanted is found by a name or by words.
  var asksForWords: Bool {
    !(contact?.isEmpty ?? true) || SearchExpression(search) != nil
  }

  /// Whether what is wanted is still to be paid, and comes in the order of the days when that is
  /// due.
  func isOfDueDates(_ sort: Sort?) -> Bool {
    sort == .dueDate && !includesVoidAndDeleted && Self.unpaid.isSuperset(of: wantedStatuses)
  }

  /// The index that has to be used; `nil` where SQLite finds the right one.
  ///
  /// Of an account's invoices nearly all are paid, if not void: who asks for others, or for some
  /// days', asks for few.
  func index(_ sort: Sort?) -> String? {
    guard !asksForWords, sort != .stored else { return nil }
    if asksForDeleted { return wantedStatuses == [.deleted] ? Self.deletionIndex : nil }
    if isOfDueDates(sort) { return Self.dueDateIndex }
    let isOfDays = issuedFrom != nil || issuedThrough != nil
    let isOrdered = sort == .issueDate && statuses?.count == 1
    return isOfDays || isOrdered || !wantedStatuses.contains(.paid) ? Self.statusIndex : nil
  }

  private static let unpaid: Set<InvoiceStatus> = [.open, .partiallyPaid]
}
