extension Schema {
  /// All that EN 16931 has a term for, contacts, what a complete sweep has seen, and full-text search.
  ///
  /// What was stored before has the fingerprint 0, so that the next full run fills in the rest.
  ///
  /// The search index holds invoices by their day and row (`search_key`), so that the newest of thousands that
  /// are found come first without the others being looked at.
  static let second = """
    CREATE TABLE whole_invoice (
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
      issue_date TEXT CHECK (issue_date GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      due_date TEXT CHECK (due_date GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      period_start TEXT CHECK (period_start GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      period_end TEXT CHECK (period_end GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      updated_at INTEGER,
      version INTEGER,
      line_total TEXT, allowance_total TEXT, charge_total TEXT,
      subtotal TEXT, total_tax TEXT, total TEXT NOT NULL,
      amount_paid TEXT, amount_credited TEXT, rounding_amount TEXT, amount_due TEXT,
      reference TEXT, order_number TEXT,
      lines_include_tax INTEGER CHECK (lines_include_tax IN (0, 1)),
      fingerprint INTEGER NOT NULL,
      synced_at INTEGER NOT NULL,
      deleted_at INTEGER,
      deleted_reason TEXT,
      UNIQUE (account, id),
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    INSERT INTO whole_invoice (row, account, id, number, type, status, raw_status, contact_id,
      contact_name, contact_email, currency, issue_date, due_date, updated_at, subtotal, total_tax,
      total, amount_paid, amount_credited, amount_due, reference, fingerprint, synced_at, deleted_at,
      deleted_reason)
    SELECT row, account, id, number, type, status, raw_status, contact_id,
      contact_name, contact_email, currency, issue_date, due_date, updated_at, subtotal, total_tax,
      total, amount_paid, amount_credited, amount_due, reference, 0, synced_at, deleted_at,
      deleted_reason
    FROM invoice;
    DROP TABLE invoice;
    ALTER TABLE whole_invoice RENAME TO invoice;
    CREATE INDEX invoice_by_issue_date ON invoice(account, issue_date);
    CREATE INDEX invoice_by_day ON invoice(issue_date);
    CREATE INDEX invoice_by_updated_at ON invoice(account, updated_at);
    CREATE INDEX invoice_by_status ON invoice(account, status, due_date);
    CREATE INDEX invoice_by_contact ON invoice(account, contact_id);
    CREATE INDEX invoice_by_number ON invoice(account, number);

    ALTER TABLE line ADD COLUMN discount_amount TEXT;
    ALTER TABLE line ADD COLUMN tax_rate TEXT;
    CREATE TABLE tax_subtotal (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      name TEXT, rate TEXT, taxable_amount TEXT, tax_amount TEXT NOT NULL,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE payment (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      id TEXT,
      date TEXT CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      amount TEXT NOT NULL, reference TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE attachment (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      id TEXT, file_name TEXT, media_type TEXT, url TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

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
      fingerprint INTEGER NOT NULL,
      synced_at INTEGER NOT NULL,
      deleted_at INTEGER,
      deleted_reason TEXT,
      UNIQUE (account, id),
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    CREATE INDEX contact_by_name ON contact(account, name);

    CREATE TABLE sighting (
      account INTEGER NOT NULL REFERENCES account(row),
      resource TEXT NOT NULL,
      row INTEGER NOT NULL,
      PRIMARY KEY (account, resource, row)
    ) STRICT, WITHOUT ROWID;

    CREATE VIEW invoice_words AS
      SELECT row,
        coalesce(CAST(replace(issue_date, '-', '') AS INTEGER), 0) << 32 | row AS search_key,
        number, contact_name AS contact,
        coalesce(reference, '') || ' ' || coalesce(order_number, '') AS reference,
        (SELECT group_concat(description, char(10)) FROM line WHERE invoice = invoice.row) AS lines
      FROM invoice;
    CREATE VIRTUAL TABLE invoice_search USING fts5(number, contact, reference, lines,
      content = 'invoice_words', content_rowid = 'search_key', columnsize = 0,
      tokenize = 'unicode61 remove_diacritics 2');
    INSERT INTO invoice_search (rowid, number, contact, reference, lines)
      SELECT search_key, number, contact, reference, lines FROM invoice_words
      ORDER BY search_key;
    """
}
