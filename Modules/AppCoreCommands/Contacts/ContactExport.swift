import Documents
import Models
import Storage

/// One JSON document with all contacts.
struct ContactJSONExport: ExportWriter {
  let isPretty: Bool
  private var frame: JSONFrame { JSONFrame(name: "contacts", isPretty: isPretty) }

  var beginning: String { frame.beginning }

  func text(of stored: StoredContact, isFirst: Bool) -> String {
    frame.element(ContactDocument(stored), isFirst: isFirst)
  }

  func end(isEmpty: Bool) -> String { frame.end(isEmpty: isEmpty) }
}

/// One JSON document per contact, each on its own line.
struct ContactJSONLinesExport: ExportWriter {
  let beginning = ""

  func text(of stored: StoredContact, isFirst: Bool) -> String {
    JSONText.encode(ContactDocument(stored)) + "\n"
  }

  func end(isEmpty: Bool) -> String { "" }
}

/// Contacts as CSV (RFC 4180): a header, then one row per contact.
///
/// The columns keep their order; later versions add new columns at the end.
struct ContactCSVExport: ExportWriter {
  let beginning = CSVRow.text(columns.map(\.name))

  func end(isEmpty: Bool) -> String { "" }

  func text(of stored: StoredContact, isFirst: Bool) -> String {
    CSVRow.text(Self.columns.map { $0.value(stored) ?? "" })
  }

  private static let columns: [(name: String, value: @Sendable (StoredContact) -> String?)] = [
    ("account", { $0.account }),
    ("id", { $0.contact.id }),
    ("name", { $0.contact.name }),
    ("email", { $0.contact.email }),
    ("phone", { $0.contact.phone }),
    ("taxNumber", { $0.contact.taxNumber }),
    ("isCustomer", { $0.contact.isCustomer?.description }),
    ("isSupplier", { $0.contact.isSupplier?.description }),
    ("status", { $0.contact.status.rawValue }),
    ("updatedAt", { $0.contact.updatedAt?.description }),
    ("deletedAt", { $0.deletedAt?.description }),
    ("deletedReason", { $0.deletedReason }),
    ("invoiceCount", { $0.invoiceCount.description }),
    ("receivable", { ContactAmounts.receivable($0.balances) }),
    ("payable", { ContactAmounts.payable($0.balances) }),
  ]
}

/// Balances as one text, such as `120.50 EUR; 30.00 USD`.
enum ContactAmounts {
  static func receivable(_ balances: [ContactBalance]) -> String {
    text(balances.map { ($0.receivable, $0.currency) })
  }

  static func payable(_ balances: [ContactBalance]) -> String {
    text(balances.map { ($0.payable, $0.currency) })
  }

  private static func text(_ amounts: [(DecimalSum, Currency)]) -> String {
    amounts.filter { !$0.0.isZero }.map { $0.0.description(in: $0.1) }.joined(separator: "; ")
  }
}
