extension Schema {
  /// Invoices with their lines, cursors and runs.
  static let first = """
    CREATE TABLE account (
      row INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      source TEXT NOT NULL
    ) STRICT;

    CREATE TABLE invoice (
      row INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account(row),
      id TEXT NOT NULL,
      number TEXT,
      type TEXT NOT NULL CHECK (type IN ('invoice','credit-note','bill','bill-credit')),
      status TEXT NOT NULL CHECK (status IN ('draft','scheduled','open','partially-paid','paid',
        'void','deleted','refunded','written-off','unknown')),
      raw_status TEXT NOT NULL,
      contact_id TEXT, contact_name TEXT, contact_email TEXT,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      issue_date TEXT CHECK (issue_date GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      due_date TEXT CHECK (due_date GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'),
      updated_at INTEGER NOT NULL,
      subtotal TEXT, total_tax TEXT, total TEXT NOT NULL,
      amount_paid TEXT, amount_credited TEXT, amount_due TEXT,
      reference TEXT,
      synced_at INTEGER NOT NULL,
      deleted_at INTEGER,
      deleted_reason TEXT,
      UNIQUE (account, id),
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    CREATE INDEX invoice_by_issue_date ON invoice(account, issue_date);
    CREATE INDEX invoice_by_status ON invoice(account, status, due_date);
    CREATE INDEX invoice_by_contact ON invoice(account, contact_id);
    CREATE INDEX invoice_by_number ON invoice(account, number);

    CREATE TABLE line (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      id TEXT, description TEXT, quantity TEXT, unit_amount TEXT,
      tax_type TEXT, tax_amount TEXT, line_amount TEXT, account_code TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE cursor (
      account INTEGER NOT NULL REFERENCES account(row),
      resource TEXT NOT NULL,
      cursor BLOB NOT NULL,
      watermark INTEGER,
      is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
      PRIMARY KEY (account, resource)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run (
      id INTEGER PRIMARY KEY,
      account_name TEXT NOT NULL,
      resource TEXT NOT NULL,
      provider TEXT NOT NULL,
      mode TEXT NOT NULL,
      result TEXT NOT NULL
        CHECK (result IN ('running','complete','partial','failed','interrupted')),
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      inserted INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
      unchanged INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
      pages INTEGER NOT NULL DEFAULT 0, requests INTEGER NOT NULL DEFAULT 0,
      watermark_before INTEGER, watermark_after INTEGER,
      error_code TEXT,
      CHECK ((result = 'running') = (ended_at IS NULL))
    ) STRICT;
    CREATE INDEX run_by_account ON run(account_name, resource, id);
    """
}
