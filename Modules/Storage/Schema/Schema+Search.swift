extension Schema {
  /// The full-text index of invoices (FTS5), and the words that it holds.
  ///
  /// It takes its text from the view. Its key is an invoice's day and row (`search_key`), so the
  /// newest of thousands of matches come first, without a look at the others.
  static let search = """
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

    -- The words that begin with some letters.
    CREATE VIRTUAL TABLE invoice_term USING fts5vocab(invoice_search, instance);
    """
}
