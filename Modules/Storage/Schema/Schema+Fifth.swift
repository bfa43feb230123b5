extension Schema {
  /// Addresses, the own party, and what is taken off an invoice or added to it.
  ///
  /// They are rows of their own, which only invoices that have them cost anything. The first of an invoice's
  /// parties is its contact, of which all but the address stands in the invoice; the second is the own party.
  static let fifth = """
    CREATE TABLE party (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position IN (0, 1)),
      id TEXT, name TEXT, email TEXT, tax_number TEXT,
      address_lines TEXT, city TEXT, postal_code TEXT, region TEXT, country TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE allowance_charge (
      invoice INTEGER NOT NULL REFERENCES invoice(row) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      id TEXT,
      is_charge INTEGER NOT NULL CHECK (is_charge IN (0, 1)),
      amount TEXT NOT NULL, reason TEXT,
      PRIMARY KEY (invoice, position)
    ) STRICT, WITHOUT ROWID;
    """
}
