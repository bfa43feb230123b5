extension Schema {
  /// Contacts by the end of their identifiers.
  ///
  /// The invoices of a page have as many contacts, and each stands in another page of the index: with whole
  /// identifiers, 36 letters most often, that index was half of all that a first sync wrote. Six letters from
  /// the end, where providers' identifiers differ, tell nearly all contacts apart.
  static let sixth = """
    DROP INDEX invoice_by_contact;
    CREATE INDEX invoice_by_contact ON invoice(\(contactIDEnd("contact_id")));
    """

  /// What ``sixth`` has an index of, and what a condition has to name to use it.
  static func contactIDEnd(_ value: String) -> String { "substr(\(value), -6)" }
}
