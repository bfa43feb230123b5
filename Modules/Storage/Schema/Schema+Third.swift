extension Schema {
  /// The words of the search index; also where a file of this version's beginnings has them already.
  static let third = """
    CREATE VIRTUAL TABLE IF NOT EXISTS invoice_term USING fts5vocab(invoice_search, instance);
    """
}
