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
      fingerprint INTEGER NOT NULL,
      synced_at INTEGER NOT NULL,
      deleted_at INTEGER,
      deleted_reason TEXT,
      UNIQUE (account, id),  -- finds the row of a record that is synced
      CHECK ((deleted_at IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    """
}
