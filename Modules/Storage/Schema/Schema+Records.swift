extension Schema {
  /// Invoices, credit notes and bills: everything for which EN 16931 has a single value.
  ///
  /// Amounts are text, exact to the digit; instants are microseconds since 1970. `fingerprint`
  /// differs if any value differs, child rows included. `deleted_at` is the time at which a
  /// deletion was noticed; the row and its status stay.
  ///
  /// Only the two amounts that are summed are checked. These two checks add about a hundredth to
  /// the time of a first sync; checks of every amount, including those of lines, would add a tenth
  /// or more.
  static let invoices = """
    CREATE TABLE invoice (
      row INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account(row),
      id TEXT NOT NULL,
      number TEXT,
      type TEXT NOT NULL CHECK (type IN ('invoice','credit-note','bill','bill-credit')),
      status TEXT NOT NULL CHECK (status IN ('draft','scheduled','open','partially-paid','paid',
        'void','deleted','refunded','written-off','unknown')),
      raw_status TEXT NOT NULL,
      contact_id TEXT, contact_name TEXT, contact_email TEXT, contact_tax_number TEXT,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      issue_date TEXT CHECK (\(isDay("issue_date"))),
      due_date TEXT CHECK (\(isDay("due_date"))),
      period_start TEXT CHECK (\(isDay("period_start"))),
      period_end TEXT CHECK (\(isDay("period_end"))),
      updated_at INTEGER,
      version INTEGER,
      line_total TEXT, allowance_total TEXT, charge_total TEXT,
      subtotal TEXT, total_tax TEXT,
      total TEXT NOT NULL CHECK (\(isDecimal("total"))),
      amount_paid TEXT, amount_credited TEXT, rounding_amount TEXT,
      amount_due TEXT CHECK (\(isDecimal("amount_due"))),
      reference TEXT, order_number TEXT,
      lines_include_tax INTEGER CHECK (lines_include_tax IN (0, 1)),
      home_currency TEXT, home_exchange_rate TEXT, home_inverse_exchange_rate TEXT,
      home_subtotal TEXT, home_total_tax TEXT, home_total TEXT, home_amount_due TEXT,
      paid_date TEXT CHECK (\(isDay("paid_date"))),
      expected_payment_date TEXT CHECK (\(isDay("expected_payment_date"))),
      withheld_amount TEXT,
      is_reverse_charge INTEGER CHECK (is_reverse_charge IN (0, 1)),
      tax_exemption TEXT,
      has_attachments INTEGER CHECK (has_attachments IN (0, 1)),
      \(ofSync),
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    """

  /// An index that a first sync stores without.
  struct RecordIndex {
    let name: String
    var table = "invoice"
    /// The columns, and the condition of a partial index.
    let columns: String
    /// True for the index that finds the row of a record that is synced, by its identifier.
    var isUnique = false

    var sql: String { "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table)\(columns)" }
  }

  /// The indexes of invoices, each with the query that it serves.
  ///
  /// They are more than half of what a first sync writes, so there are few, and indexes of rare
  /// invoices are partial; see ``RecordIndexes``.
  static let invoiceIndexes = [
    RecordIndex(name: "invoice_by_id", columns: "(account, id)", isUnique: true),
    // A list, the newest first: one query for each account and status, merged in this order. Also
    // whatever narrows by status or days: nearly all invoices are paid, and others are few.
    RecordIndex(name: "invoice_by_status", columns: "(account, status, issue_date, due_date)"),
    // The unpaid ones, in the order of the days when it is due; all others are sorted.
    RecordIndex(
      name: "invoice_by_due_date",
      columns: "(account, due_date) WHERE \(isUnpaid) AND deleted_at IS NULL"),
    // All others in that order.
    RecordIndex(name: "invoice_by_any_due_date", columns: "(account, due_date)"),
    // A list of one account by its amounts, or by the other party's name.
    RecordIndex(name: "invoice_by_total", columns: "(account, currency, \(totalNumber.inIndex))"),
    invoicesByAmountDue,
    RecordIndex(name: "invoice_by_contact_name", columns: "(account, contact_name)"),
    // The deleted ones, whichever status it had.
    RecordIndex(
      name: "invoice_by_deletion",
      columns: "(account, issue_date, due_date) WHERE deleted_at IS NOT NULL"),
    // A list of one account, by the last change at the provider.
    RecordIndex(name: "invoice_by_updated_at", columns: "(account, updated_at)"),
    // The invoices with a number.
    RecordIndex(name: "invoice_by_number", columns: "(account, number)"),
    // The invoices of a contact. The six letters at the end, where providers' identifiers differ,
    // distinguish nearly all, in a third of the pages that whole identifiers of 36 letters need.
    RecordIndex(name: "invoice_by_contact", columns: "(\(identifierEnd("contact_id")))"),
    invoiceChanges,
  ]

  /// The invoices of one account in the order of what is due.
  static let invoicesByAmountDue = RecordIndex(
    name: "invoice_by_amount_due", columns: "(account, currency, \(dueNumber.inIndex))")

  /// Returns the end of an identifier, which `invoice_by_contact` and the indexes of allocations
  /// hold; a condition has to contain it to use the index.
  static func identifierEnd(_ value: String) -> String { "substr(\(value), -6)" }

  /// The condition that a query has to contain to use `invoice_by_due_date`.
  static let isUnpaid = "status IN ('open', 'partially-paid')"

  /// The amount due of an invoice in every sum; `NULL` unless the invoice waits for a payment.
  ///
  /// A draft, and an invoice that was deleted, asks nobody for money. If the provider does not
  /// state what is due, an invoice counts with what its payments and credits leave; without any, an
  /// open one counts with its total.
  static let amountDue = """
    CASE WHEN \(isUnpaid) AND invoice.deleted_at IS NULL
      THEN coalesce(amount_due, iif(\(isComputed), computed_due, NULL),
        iif(status = 'open', total, NULL)) END
    """

  /// The condition that amounts were computed from the invoice as it is: unpaid, and without any of
  /// them stated.
  private static let isComputed = "computed_for = invoice.fingerprint"

  /// Returns the value of one of the columns that ``ComputedDue`` computes, such as `amount_due`,
  /// or the provider's own.
  static func shown(_ column: String) -> String {
    """
    iif(invoice.\(isComputed), invoice.\(column.replacing("amount_", with: "computed_")),
      invoice.\(column))
    """
  }

  /// The unpaid invoices of an account, the first parameter, whose provider states neither what is
  /// due nor what was paid or credited.
  ///
  /// Without the name of the index, SQLite reads all unpaid invoices.
  static let withoutDue =
    "invoice INDEXED BY invoice_without_due WHERE account = ?1 AND \(isWithoutDue)"

  private static let isWithoutDue = """
    amount_due IS NULL AND amount_paid IS NULL AND amount_credited IS NULL AND \(isUnpaid)
      AND deleted_at IS NULL
    """

  /// The amounts that are computed where the provider does not state what is due.
  ///
  /// `computed_for` is the fingerprint of the invoice that they were computed from.
  /// `dues_change` is the number of the last change that those of an account contain.
  static let computedDues = """
    ALTER TABLE account ADD COLUMN dues_change INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE invoice ADD COLUMN computed_paid TEXT;
    ALTER TABLE invoice ADD COLUMN computed_credited TEXT;
    ALTER TABLE invoice ADD COLUMN computed_due TEXT CHECK (\(isDecimal("computed_due")));
    ALTER TABLE invoice ADD COLUMN computed_for INTEGER;
    CREATE INDEX invoice_without_due ON invoice(account) WHERE \(isWithoutDue);
    DROP INDEX IF EXISTS \(invoicesByAmountDue.name);
    \(invoicesByAmountDue.sql);
    """

  /// Returns the condition that a document is a credit note that settles what it is set against.
  static func settles(_ document: String) -> String {
    """
    \(document).deleted_at IS NULL AND \(document).status NOT IN ('void', 'deleted', 'draft')
      AND \(document).type IN ('credit-note', 'bill-credit')
    """
  }

  /// Returns an amount of an invoice that is below zero for a credit; some providers write it so
  /// already.
  static func signed(_ amount: String) -> String {
    """
    iif(invoice.type IN ('credit-note', 'bill-credit') AND \(amount) NOT LIKE '-%',
      '-' || \(amount), \(amount))
    """
  }

  /// The amounts by which invoices are ordered, as the nearest doubles.
  static let totalNumber = "CAST(invoice.total AS REAL)"
  static let dueNumber = "CAST(\(amountDue) AS REAL)"
}

extension String {
  /// The expression with plain names of columns, which an index requires.
  fileprivate var inIndex: String { replacing("invoice.", with: "") }
}

extension Schema {
  /// Child tables of invoices: values that an invoice has several of, or that few invoices have.
  ///
  /// Rows are read in order by their primary key, together with their invoice, and deleted with it.
  ///
  /// A party at position 0 is the contact, of which the invoice row holds all but the address. A
  /// party at position 1 is the user's own party.
  static let invoiceParts = """
    CREATE TABLE line (
      \(position),
      id TEXT, description TEXT, quantity TEXT, unit_amount TEXT,
      discount_amount TEXT, tax_rate TEXT, tax_type TEXT, tax_amount TEXT, line_amount TEXT,
      account_code TEXT, discount_rate TEXT, charge_amount TEXT, item_code TEXT, item_name TEXT,
      period_start TEXT, period_end TEXT, tracking TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tax_subtotal (
      \(position),
      name TEXT, rate TEXT, taxable_amount TEXT, tax_amount TEXT NOT NULL,
      exemption_reason TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE invoice_payment (
      \(position),
      id TEXT, date TEXT CHECK (\(isDay("date"))), amount TEXT NOT NULL, reference TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE attachment (
      \(position),
      id TEXT, file_name TEXT, media_type TEXT, url TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE party (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position IN (0, 1)),
      id TEXT, name TEXT, email TEXT, tax_number TEXT,
      address_lines TEXT, city TEXT, postal_code TEXT, region TEXT, country TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE allowance_charge (
      \(position),
      id TEXT, is_charge INTEGER NOT NULL CHECK (is_charge IN (0, 1)),
      amount TEXT NOT NULL, reason TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE credit_allocation (
      \(position),
      \(allocation),
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX credit_allocation_by_invoice ON credit_allocation(\(identifierEnd("invoice_id")));

    CREATE TABLE custom_field (
      \(position),
      name TEXT, value TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// The columns of names beside codes, and of the means of payment.
  static let names = """
    ALTER TABLE line ADD COLUMN tax_name TEXT;
    ALTER TABLE line ADD COLUMN account_name TEXT;
    ALTER TABLE invoice_payment ADD COLUMN method TEXT;
    """

  private static let allocation = """
    id TEXT, invoice_id TEXT NOT NULL, invoice_number TEXT,
      date TEXT CHECK (\(isDay("date"))), amount TEXT NOT NULL
    """

  /// Payments, with the same columns for their sync as invoices, and the documents that they pay.
  static let payments = """
    CREATE TABLE payment (
      row INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account(row),
      id TEXT NOT NULL,
      type TEXT NOT NULL CHECK (type IN ('receipt','payment','refund','supplier-refund')),
      status TEXT NOT NULL CHECK (status IN ('completed','pending','failed','void','deleted',
        'unknown')),
      raw_status TEXT NOT NULL,
      date TEXT CHECK (\(isDay("date"))),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      amount TEXT NOT NULL CHECK (\(isDecimal("amount"))),
      unallocated_amount TEXT,
      method TEXT, reference TEXT, contact_id TEXT, contact_name TEXT, account_code TEXT,
      updated_at INTEGER,
      version INTEGER,
      \(ofSync),
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;

    CREATE TABLE payment_allocation (
      payment INTEGER NOT NULL REFERENCES payment(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      \(allocation),
      PRIMARY KEY (payment, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// The indexes of payments and of what they settle, each with the query that it serves.
  static let paymentIndexes = [
    RecordIndex(
      name: "payment_by_id", table: "payment", columns: "(account, id)", isUnique: true),
    // The payments of a document.
    RecordIndex(
      name: "payment_allocation_by_invoice", table: "payment_allocation",
      columns: "(\(identifierEnd("invoice_id")))"),
    paymentChanges,
  ]

  /// The columns that every record has for its sync.
  ///
  /// `list` is the name of its list, unless that is the first of its kind; `deleted_at` is the time
  /// at which a deletion was noticed.
  private static let ofSync = """
    list TEXT,
      fingerprint INTEGER NOT NULL,
      synced_at INTEGER NOT NULL,
      deleted_at INTEGER,
      deleted_reason TEXT,
      first_synced_at INTEGER
    """

  /// The rows of other lists than the first of their kind, such as credit notes.
  ///
  /// A first sync of the first list writes none of them, so they always exist.
  static let listIndexes = ["invoice", "payment", "contact"].map { listIndex(of: $0) }
    .joined(separator: "\n")

  static func listIndex(of table: String, _ condition: String = "") -> String {
    "CREATE INDEX \(condition)\(table)_by_list ON \(table)(account, list) WHERE list IS NOT NULL;"
  }

  private static let position = """
    invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0)
    """
}

extension Schema {
  /// Customers and suppliers, with the same columns for their sync as invoices.
  static let contacts = """
    CREATE TABLE contact (
      row INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account(row),
      id TEXT NOT NULL,
      name TEXT, email TEXT, phone TEXT, tax_number TEXT,
      is_customer INTEGER CHECK (is_customer IN (0, 1)),
      is_supplier INTEGER CHECK (is_supplier IN (0, 1)),
      status TEXT NOT NULL CHECK (status IN ('active','archived','deleted','unknown')),
      raw_status TEXT NOT NULL,
      updated_at INTEGER,
      version INTEGER,
      account_number TEXT, company_number TEXT, mobile TEXT, website TEXT,
      address_lines TEXT, address_city TEXT, address_postal_code TEXT, address_region TEXT,
      address_country TEXT,
      delivery_address_lines TEXT, delivery_address_city TEXT, delivery_address_postal_code TEXT,
      delivery_address_region TEXT, delivery_address_country TEXT,
      \(ofSync),
      UNIQUE (account, id),  -- finds the row of a record that is synced
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    """
}
