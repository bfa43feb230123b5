import Models
import Sync

/// A kind of document; each kind has its own list, and the lists are read one after the other.
enum QuickBooksKind: String, Codable, CaseIterable {
  case invoice = "Invoice"
  case creditMemo = "CreditMemo"
  case bill = "Bill"
  case vendorCredit = "VendorCredit"

  var type: InvoiceType {
    switch self {
    case .invoice: .invoice
    case .creditMemo: .creditNote
    case .bill: .bill
    case .vendorCredit: .billCredit
    }
  }

  /// The kind whose list is read after this one; `nil` after the last.
  var next: QuickBooksKind? {
    switch self {
    case .invoice: .creditMemo
    case .creditMemo: .bill
    case .bill: .vendorCredit
    case .vendorCredit: nil
    }
  }

  /// Returns the identifier within the account.
  ///
  /// QuickBooks guarantees that an `Id` is unique only among documents of one kind.
  func identifier(_ id: String) -> String {
    switch self {
    case .invoice: id
    case .creditMemo: "creditmemo/" + id
    case .bill: "bill/" + id
    case .vendorCredit: "vendorcredit/" + id
    }
  }
}
