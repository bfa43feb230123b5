extension Schema {
  /// Two indexes of all invoices in place of four, which were more than half of all that a first sync wrote,
  /// and two of a few.
  ///
  /// Invoices by their days of issue are those of each account in each status: what is asked for is some of
  /// them, open or overdue ones most often, of which there may be few among all. By the day when they are
  /// due come those that are still to be paid; to have all others in that order, they are sorted. What is
  /// deleted keeps the status that it had, and is no invoice of that status any more.
  ///
  /// Contacts are found by the end of their identifiers. The invoices of a page have as many contacts, and
  /// each stands in another page of the index; with whole identifiers, 36 letters most often, it had three
  /// times as many. Six letters from the end, where providers' identifiers differ, tell nearly all apart.
  static let sixth = """
    DROP INDEX IF EXISTS invoice_by_contact;
    CREATE INDEX invoice_by_contact ON invoice(\(contactIDEnd("contact_id")));
    DROP INDEX IF EXISTS invoice_by_issue_date;
    DROP INDEX IF EXISTS invoice_by_day;
    DROP INDEX IF EXISTS invoice_by_status;
    CREATE INDEX invoice_by_status ON invoice(account, status, issue_date, due_date);
    CREATE INDEX invoice_by_due_date ON invoice(account, due_date)
      WHERE \(isUnpaid) AND deleted_at IS NULL;
    CREATE INDEX invoice_by_deletion ON invoice(account, issue_date, due_date)
      WHERE deleted_at IS NOT NULL;
    """

  /// What ``sixth`` has an index of, and what a condition has to name to use it.
  static func contactIDEnd(_ value: String) -> String { "substr(\(value), -6)" }

  /// What a condition has to say to use the index of the days when invoices are due.
  static let isUnpaid = "status IN ('open', 'partially-paid')"
}
