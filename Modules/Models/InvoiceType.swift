/// The kind of document that an invoice is, seen from the user who syncs it.
public enum InvoiceType: String, Sendable, Hashable, Codable, CaseIterable {
  /// Money to be received (EN 16931 BT-3 code 380, issued by us).
  case invoice
  /// Money to be given back (code 381, issued by us).
  ///
  /// Its amounts are as the provider writes them: mostly above zero, and below it where a credit
  /// note is an invoice with amounts below zero (Moneybird).
  case creditNote = "credit-note"
  /// Money to be paid (code 380, received from a supplier).
  case bill
  /// Money to be got back from a supplier (code 381, received).
  case billCredit = "bill-credit"
}
