extension Schema {
  /// The views for users and their programs: the stable names of what the database holds.
  ///
  /// Columns keep name and meaning; new ones are added at the end. The tables below them may change
  /// with any version. Views are definitions only and cost a sync nothing.
  ///
  /// Each amount is exact text, as in JSON, and again as the nearest double (`…_number`), because
  /// text does not sort as a number and other programs than the `sqlite3` shell have no
  /// `decimal_sum`. Minor units as integers would lose digits: a unit price may have six decimals.
  ///
  /// Deleted invoices and contacts stay visible with the status `deleted`, whichever status they
  /// had, so that one condition on the status leaves out both them and void ones.
  static let views = """
    CREATE VIEW invoices AS
      SELECT account.name AS account, invoice.id, invoice.number, invoice.type,
        \(status("invoice")) AS status, invoice.raw_status, invoice.contact_id,
        \(contactName) AS contact,
        coalesce(invoice.contact_email, contact.email) AS contact_email,
        invoice.currency, invoice.issue_date, invoice.due_date,
        invoice.subtotal, invoice.total_tax, invoice.total,
        invoice.amount_paid, invoice.amount_credited, invoice.amount_due,
        \(number("invoice.subtotal")) AS subtotal_number,
        \(number("invoice.total_tax")) AS total_tax_number,
        \(number("invoice.total")) AS total_number,
        \(number("invoice.amount_paid")) AS amount_paid_number,
        \(number("invoice.amount_credited")) AS amount_credited_number,
        \(number("invoice.amount_due")) AS amount_due_number,
        invoice.reference, invoice.order_number,
        \(instant("invoice.updated_at")) AS updated_at,
        \(instant("invoice.synced_at")) AS synced_at,
        \(instant("invoice.deleted_at")) AS deleted_at, invoice.deleted_reason
      FROM invoice JOIN account ON account.row = invoice.account \(joinedContact);

    CREATE VIEW lines AS
      SELECT account.name AS account, invoice.id AS invoice_id, invoice.number AS invoice_number,
        invoice.type, \(status("invoice")) AS status, invoice.contact_id,
        \(contactName) AS contact, invoice.currency, invoice.issue_date,
        line.position + 1 AS position, line.id, line.description, line.account_code,
        line.tax_type, line.tax_rate, line.quantity, line.unit_amount, line.discount_amount, line.tax_amount, line.line_amount,
        \(number("line.quantity")) AS quantity_number,
        \(number("line.unit_amount")) AS unit_amount_number,
        \(number("line.discount_amount")) AS discount_amount_number,
        \(number("line.tax_amount")) AS tax_amount_number,
        \(number("line.line_amount")) AS line_amount_number
      FROM line JOIN invoice ON invoice.row = line.invoice
        JOIN account ON account.row = invoice.account \(joinedContact);

    CREATE VIEW contacts AS
      SELECT account.name AS account, contact.id, contact.name, contact.email, contact.phone,
        contact.tax_number, contact.is_customer, contact.is_supplier,
        \(status("contact")) AS status, contact.raw_status,
        \(instant("contact.updated_at")) AS updated_at,
        \(instant("contact.synced_at")) AS synced_at,
        \(instant("contact.deleted_at")) AS deleted_at, contact.deleted_reason
      FROM contact JOIN account ON account.row = contact.account;
    """

  /// The name of an invoice's contact: as on the invoice, else from the list of contacts.
  private static let contactName = "coalesce(invoice.contact_name, contact.name)"

  /// The contact of an invoice, found by the index of identifiers; SQLite leaves out the join if
  /// no column of it is asked for.
  private static let joinedContact = """
    LEFT JOIN contact
          ON contact.account = invoice.account AND contact.id = invoice.contact_id
    """

  private static func status(_ table: String) -> String {
    "iif(\(table).deleted_at IS NULL, \(table).status, 'deleted')"
  }

  private static func number(_ amount: String) -> String { "CAST(\(amount) AS REAL)" }

  /// Returns an expression for an instant as RFC 3339 in UTC, always with six decimals, so that
  /// texts sort as instants do.
  private static func instant(_ column: String) -> String {
    let fraction = "((\(column) % 1000000 + 1000000) % 1000000)"
    return "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000000, 'unixepoch')"
      + " || printf('.%06dZ', \(fraction))"
  }
}
