import Models

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
  struct View: Sendable {
    let name: String
    /// The table of the records.
    let table: String
    /// The columns, each with its expression, in their order.
    let columns: [(name: String, expression: String)]
    fileprivate let source: String

    var sql: String {
      """
      CREATE VIEW \(name) AS
        SELECT \(columns.map { "\($0.expression) AS \($0.name)" }.joined(separator: ",\n    "))
        FROM \(source);
      """
    }

    /// - Parameters:
    ///   - columns: the columns of the record, in the order of its list.
    ///   - special: expressions of other columns, and of those that do not show what the table
    ///     holds.
    ///   - omitted: the columns that another one shows.
    ///   - published: the first columns, in the order in which versions have added them; the others
    ///     follow in the order of the list.
    fileprivate init(
      _ name: String, of table: String, _ columns: [FieldDescription.Column],
      special: [(name: String, expression: String)], omitted: Set<String> = [],
      published: String, source: String
    ) {
      var expressions = special
      for column in columns where !omitted.contains(column.name) {
        let stored = "\(table).\(column.name)"
        if case .instant = column.kind {
          expressions.append((column.name, instant(stored)))
        } else {
          expressions.append((column.name, stored))
        }
        if column.isNumber {
          expressions.append(("\(column.name)_number", "CAST(\(stored) AS REAL)"))
        }
      }
      // A special expression stands before the plain one.
      let known = Dictionary(expressions.map { ($0.name, $0.expression) }) { first, _ in first }
      var names = published.split(whereSeparator: \.isWhitespace).map(String.init)
      for (name, _) in expressions where !names.contains(name) { names.append(name) }
      (self.name, self.table, self.source) = (name, table, source)
      self.columns = names.compactMap { name in known[name].map { (name, $0) } }
    }
  }

  /// The views, in the order of the guide.
  static let views = [
    View(
      "invoices", of: "invoice", FieldDescription.storedColumns(of: Invoice.self),
      special: [("account", "account.name"), ("id", "invoice.id")] + state("invoice") + [
        ("contact", contactName),
        ("contact_email", "coalesce(invoice.contact_email, contact.email)"),
      ]
        + ComputedDue.columns.flatMap { column in
          let value = shown(column)
          return [(column, value), ("\(column)_number", "CAST(\(value) AS REAL)")]
        },
      omitted: ["contact_name"],
      published: """
        account id number type status raw_status contact_id contact contact_email
        currency issue_date due_date
        subtotal total_tax total amount_paid amount_credited amount_due
        subtotal_number total_tax_number total_number
        amount_paid_number amount_credited_number amount_due_number
        reference order_number updated_at synced_at deleted_at deleted_reason
        contact_tax_number period_start period_end version line_total line_total_number
        allowance_total allowance_total_number charge_total charge_total_number
        rounding_amount rounding_amount_number lines_include_tax first_synced_at
        """,
      source: """
        invoice JOIN account ON account.row = invoice.account \(joinedContact)
        """),
    part(
      "lines", of: "line", InvoiceLine.self,
      published: """
        id description account_code tax_type tax_rate
        quantity unit_amount discount_amount tax_amount line_amount
        quantity_number unit_amount_number discount_amount_number
        tax_amount_number line_amount_number
        """),
    part("taxes", of: "tax_subtotal", TaxSubtotal.self),
    part("invoice_payments", of: "invoice_payment", InvoicePayment.self),
    part("allowances_and_charges", of: "allowance_charge", AllowanceCharge.self),
    part("custom_fields", of: "custom_field", CustomField.self),
    part("attachments", of: "attachment", AttachmentReference.self),
    part(
      "parties", of: "party", Party.self, InvoiceTable.addressColumns,
      special: [
        ("role", "iif(party.position = 0, 'contact', 'own')"),
        // The row of the contact holds its address alone.
        ("id", partyValue("id", "invoice.contact_id")),
        ("name", partyValue("name", contactName)),
        ("email", partyValue("email", "coalesce(invoice.contact_email, contact.email)")),
        ("tax_number", partyValue("tax_number", "invoice.contact_tax_number")),
      ]),
    View(
      "contacts", of: "contact",
      FieldDescription.storedColumns(of: Contact.self)
        + ContactTable.addressColumns.map { FieldDescription.Column(name: $0, kind: .text) },
      special: [("account", "account.name"), ("id", "contact.id")] + state("contact"),
      published: """
        account id name email phone tax_number is_customer is_supplier status raw_status
        updated_at synced_at deleted_at deleted_reason first_synced_at
        """,
      source: "contact JOIN account ON account.row = contact.account"),
    View(
      "payments", of: "payment", FieldDescription.storedColumns(of: Payment.self),
      special: [("account", "account.name"), ("id", "payment.id")] + state("payment") + [
        ("contact", "coalesce(payment.contact_name, contact.name)")
      ],
      omitted: ["contact_name"],
      published: "account id date type status raw_status contact_id contact currency amount",
      source: """
        every_payment AS payment JOIN account ON account.row = payment.account LEFT JOIN contact
          ON contact.account = payment.account AND contact.id = payment.contact_id
        """),
  ]

  /// The payments of lists, and those that invoices hold themselves and no list has, each of these
  /// with a row number below zero.
  ///
  /// While a first sync stores payments without their index, `NOT IN` reads them once; `NOT EXISTS`
  /// would read them for each part.
  static let everyPayment = """
    CREATE VIEW every_payment AS
      SELECT \(paymentColumns.joined(separator: ", ")) FROM payment
      UNION ALL
      SELECT -(part.invoice * 65536 + part.position), invoice.account,
        coalesce(part.id, invoice.id || '/' || (part.position + 1)),
        CASE invoice.type WHEN 'credit-note' THEN 'refund' WHEN 'bill-credit' THEN 'supplier-refund'
          WHEN 'bill' THEN iif(part.amount LIKE '-%', 'supplier-refund', 'payment')
          ELSE iif(part.amount LIKE '-%', 'refund', 'receipt') END,
        iif(invoice.status = 'void', 'void', 'completed'), 'payment of an invoice', part.date,
        invoice.currency, ltrim(part.amount, '-'), NULL, part.method, part.reference,
        invoice.contact_id, invoice.contact_name, NULL, invoice.updated_at, NULL, invoice.synced_at, invoice.deleted_at,
        invoice.deleted_reason, invoice.first_synced_at
      FROM invoice_payment AS part JOIN invoice ON invoice.row = part.invoice
      WHERE part.id IS NULL
        OR (invoice.account, part.id) NOT IN (SELECT account, id FROM payment);
    """

  private static let paymentColumns =
    ["row", "account", "id"] + PaymentTable.columns
    + ["synced_at", "deleted_at", "deleted_reason", "first_synced_at"]

  /// The parts of payments and of credit notes that settle documents, and the credit notes.
  static let settlements = """
    CREATE VIEW credit_notes AS SELECT * FROM invoices WHERE type IN ('credit-note', 'bill-credit');

    CREATE VIEW allocations AS
      SELECT source.account, source.kind, source.source_id, source.source_number, source.type,
        source.status, source.date, source.invoice_id,
        coalesce(invoice.number, source.invoice_number) AS invoice_number, source.currency,
        \(settled) AS amount, CAST(\(settled) AS REAL) AS amount_number
      FROM (
        SELECT account.name AS account, account.row AS account_row, 'payment' AS kind,
          payment.id AS source_id, payment.reference AS source_number, payment.type AS type,
          iif(payment.deleted_at IS NULL, payment.status, 'deleted') AS status,
          coalesce(part.date, payment.date) AS date, part.invoice_id, part.invoice_number,
          payment.currency, part.amount
        FROM payment_allocation AS part JOIN payment ON payment.row = part.payment
          JOIN account ON account.row = payment.account
        UNION ALL
        SELECT account.name, account.row, 'payment', payment.id, payment.reference, payment.type,
          iif(payment.deleted_at IS NULL, payment.status, 'deleted'), payment.date, invoice.id,
          invoice.number, payment.currency, payment.amount
        FROM every_payment AS payment JOIN invoice ON invoice.row = -payment.row / 65536
          JOIN account ON account.row = payment.account
        WHERE payment.row < 0
        UNION ALL
        SELECT account.name, account.row, 'credit', invoice.id, invoice.number, invoice.type,
          iif(invoice.deleted_at IS NULL, invoice.status, 'deleted'),
          coalesce(part.date, invoice.issue_date), part.invoice_id, part.invoice_number,
          invoice.currency, part.amount
        FROM credit_allocation AS part JOIN invoice ON invoice.row = part.invoice
          JOIN account ON account.row = invoice.account
      ) AS source LEFT JOIN invoice
        ON invoice.account = source.account_row AND invoice.id = source.invoice_id;
    """

  /// The amount that a part settles of a document: a refund takes back what an invoice was paid,
  /// and settles a credit note.
  private static let settled = """
    iif(source.type IN ('refund', 'supplier-refund') AND invoice.type IN ('invoice', 'bill'),
      '-', '') || source.amount
    """

  /// Returns the view of a child table, each row with the values of its invoice that questions are
  /// about.
  private static func part<Record: FieldListing>(
    _ name: String, of table: String, _: Record.Type, _ more: [String] = [],
    special: [(name: String, expression: String)] = [], published: String = ""
  ) -> View {
    View(
      name, of: table,
      FieldDescription.storedColumns(of: Record.self)
        + more.map { FieldDescription.Column(name: $0, kind: .text) },
      special: [
        ("account", "account.name"), ("invoice_id", "invoice.id"),
        ("invoice_number", "invoice.number"), ("type", "invoice.type"), state("invoice")[0],
        ("contact_id", "invoice.contact_id"), ("contact", contactName),
        ("currency", "invoice.currency"), ("issue_date", "invoice.issue_date"),
        ("position", "\(table).position + 1"),
      ] + special,
      published: """
        account invoice_id invoice_number type status contact_id contact currency issue_date
        position \(published)
        """,
      source: """
        \(table) JOIN invoice ON invoice.row = \(table).invoice
          JOIN account ON account.row = invoice.account \(joinedContact)
        """)
  }

  /// The columns that every synced record has.
  private static func state(_ table: String) -> [(name: String, expression: String)] {
    [
      ("status", "iif(\(table).deleted_at IS NULL, \(table).status, 'deleted')"),
      ("synced_at", instant("\(table).synced_at")), ("deleted_at", instant("\(table).deleted_at")),
      ("deleted_reason", "\(table).deleted_reason"),
      ("first_synced_at", instant("\(table).first_synced_at")),
    ]
  }

  /// The name of an invoice's contact: as on the invoice, else from the list of contacts.
  private static let contactName = "coalesce(invoice.contact_name, contact.name)"

  /// The contact of an invoice, found by the index of identifiers; SQLite leaves out the join if
  /// no column of it is asked for.
  private static let joinedContact = """
    LEFT JOIN contact
          ON contact.account = invoice.account AND contact.id = invoice.contact_id
    """

  private static func partyValue(_ own: String, _ contact: String) -> String {
    "iif(party.position = 0, \(contact), party.\(own))"
  }

  /// Returns an expression for an instant as RFC 3339 in UTC, always with six decimals, so that
  /// texts sort as instants do.
  static func instant(_ column: String) -> String {
    let fraction = "((\(column) % 1000000 + 1000000) % 1000000)"
    return "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000000, 'unixepoch')"
      + " || printf('.%06dZ', \(fraction))"
  }
}
