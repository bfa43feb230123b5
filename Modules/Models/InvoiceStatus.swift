/// The status of an invoice, in terms common to all providers.
///
/// ``Invoice/rawStatus`` keeps the provider's own word.
public enum InvoiceStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// The invoice is being written, and was not sent.
  case draft
  /// The invoice is finished, and will be approved or sent later.
  case scheduled
  /// The invoice was sent or approved; nothing is paid yet.
  case open
  /// A part is paid, and a part is due.
  case partiallyPaid = "partially-paid"
  /// Nothing is due any more.
  case paid
  /// The invoice was cancelled after it was issued; it stays on record.
  case void
  /// The invoice was removed by its owner.
  case deleted
  /// The invoice was paid, and the payment returned.
  case refunded
  /// The amount is not expected to be collected.
  case writtenOff = "written-off"
  /// The provider's word for the status is unknown to this version.
  case unknown
}
