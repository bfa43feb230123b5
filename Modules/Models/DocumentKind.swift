/// A kind of file that a provider gives for an invoice, a credit note or a bill.
public enum DocumentKind: String, Sendable, Hashable, CaseIterable {
  /// The document as the provider renders it, a PDF.
  case pdf
  /// A file that somebody attached to it, such as a scanned receipt.
  case attachment
  /// The e-invoice in UBL (EN 16931), XML.
  case ubl
}
