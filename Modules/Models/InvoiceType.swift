/// The kind of document that an invoice is, from the view of the user who syncs it.
public enum InvoiceType: String, Sendable, Hashable, Codable, CaseIterable {
  /// A claim on a customer (EN 16931 BT-3 code 380, issued by the user).
  case invoice
  /// A credit to a customer (code 381, issued by the user).
  ///
  /// Its amounts are as the provider writes them: mostly positive, but negative if the provider's
  /// credit note is an invoice with negative amounts (Moneybird).
  case creditNote = "credit-note"
  /// A supplier's claim on the user (code 380, received).
  case bill
  /// A supplier's credit to the user (code 381, received).
  case billCredit = "bill-credit"
}
