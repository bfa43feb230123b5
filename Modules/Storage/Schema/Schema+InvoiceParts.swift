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
      account_code TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tax_subtotal (
      \(position),
      name TEXT, rate TEXT, taxable_amount TEXT, tax_amount TEXT NOT NULL,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE payment (
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
    """

  private static let position = """
    invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0)
    """
}
