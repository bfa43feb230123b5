extension Schema {
  /// The full-text index of invoices (FTS5), the view that it takes its text from, and the rows
  /// that it lacks.
  ///
  /// Its key is an invoice's day and row (`search_key`), so that a search returns the newest of
  /// thousands of matches without reading the others.
  ///
  /// Words are indexed after the transaction that stores them, many rows at a time: with each page
  /// of 250 invoices the index costs twice as much. It takes whole phrases (`detail=full`), which
  /// numbers such as `INV-2023-17` are; that is an eighth of its time, and a third of its size.
  static let search = """
    CREATE VIEW invoice_words AS
      SELECT row,
        \(searchKey("issue_date", "row")) AS search_key,
        number, contact_name AS contact,
        coalesce(reference, '') || ' ' || coalesce(order_number, '') AS reference,
        (SELECT group_concat(description, char(10)) FROM line WHERE invoice = invoice.row) AS lines
      FROM invoice;

    CREATE VIRTUAL TABLE invoice_search USING fts5(number, contact, reference, lines,
      content = 'invoice_words', content_rowid = 'search_key', columnsize = 0,
      tokenize = '\(searchTokenizer)');

    \(searchMemory)

    -- The segments of the index that are merged into one; see searchSegments.
    INSERT INTO invoice_search (invoice_search, rank) VALUES ('automerge', 16), ('crisismerge', 32);

    -- The words that begin with some letters.
    CREATE VIRTUAL TABLE invoice_term USING fts5vocab(invoice_search, instance);

    -- The last row that is indexed. The rows after it are not; nor are those in search_pending,
    -- which have changed since.
    CREATE TABLE search_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      indexed_row INTEGER NOT NULL
    ) STRICT;
    INSERT INTO search_state VALUES (1, 0);

    CREATE TABLE search_pending (row INTEGER PRIMARY KEY) STRICT;
    """

  /// The bytes of words that FTS5 collects before it writes them: the more, the less it merges.
  ///
  /// They take about twice as much memory.
  private static let searchMemory =
    "INSERT INTO invoice_search (invoice_search, rank) VALUES ('hashsize', 4194304);"

  /// The segments of the index that are merged into one.
  ///
  /// A search looks into each of them; with fewer, words are written more often. With 16, as in
  /// earlier versions, those of 100 000 invoices are written twice.
  static let searchSegments = """
    INSERT INTO invoice_search (invoice_search, rank) VALUES ('automerge', 32), ('crisismerge', 64)
    """

  /// The index that ``SearchBuild`` builds: it has the form of that of the database, without the
  /// view.
  static let searchBuild = """
    CREATE VIRTUAL TABLE invoice_search USING fts5(number, contact, reference, lines,
      content = '', columnsize = 0, tokenize = '\(searchTokenizer)');
    \(searchMemory)
    \(searchSegments)
    """

  /// Returns the key of an invoice of a day in the index.
  static func searchKey(_ day: String, _ row: String) -> String {
    "coalesce(CAST(replace(\(day), '-', '') AS INTEGER), 0) << 32 | \(row)"
  }

  /// The division of text into words: by Unicode's letters and digits, without case and accents.
  static let searchTokenizer = "unicode61 remove_diacritics 2"
}
