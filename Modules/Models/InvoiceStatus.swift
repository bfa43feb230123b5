/// The status of an invoice, in terms that hold for every provider.
///
/// The provider's own word is kept beside it in ``Invoice/rawStatus``.
public enum InvoiceStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// Being written; not sent.
  case draft
  /// Finished, to be approved or sent at a later time.
  case scheduled
  /// Sent or approved; nothing paid yet.
  case open
  /// Something paid, something due.
  case partiallyPaid = "partially-paid"
  /// Nothing is due any more.
  case paid
  /// Cancelled after it was issued; it stays on record.
  case void
  /// Removed by its owner.
  case deleted
  /// Paid and given back.
  case refunded
  /// Given up as not to be collected.
  case writtenOff = "written-off"
  /// A word that this version does not know.
  case unknown
}
