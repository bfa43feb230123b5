import Models

/// The records of one list in the table of its kind.
///
/// The column `list` is `NULL` for the first list of a kind, since most records are of one.
extension Resource {
  /// The name in the column `list`.
  var list: String? { isMain ? nil : rawValue }

  /// The condition that a record belongs to the list.
  var isListed: String { list.map { "list = '\($0)'" } ?? "list IS NULL" }

  /// Returns a query that counts the records of the list in an account.
  ///
  /// It reads indexes alone: those of the first list are counted as all but the others.
  func count(in table: String, account: String) -> String {
    let all = "SELECT count(*) FROM \(table) WHERE account = \(account)"
    return isMain
      ? "SELECT (\(all)) - (\(all) AND list IS NOT NULL)" : "\(all) AND \(isListed)"
  }
}

extension Resource.Kind {
  /// The table of the records.
  var table: String {
    switch self {
    case .invoices: "invoice"
    case .payments: "payment"
    case .contacts: "contact"
    }
  }

  /// The condition that a record is not of the provider's own status of deletion, which hides
  /// invoices and payments as a deletion does; such a contact is marked as deleted itself.
  var isVisible: String { self == .contacts ? "TRUE" : "status <> 'deleted'" }
}
