import Models
import Sync

/// A kind of document, each in a list of its own, which are read one after the other.
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

  /// The list that is read after this one.
  var next: QuickBooksKind? {
    switch self {
    case .invoice: .creditMemo
    case .creditMemo: .bill
    case .bill: .vendorCredit
    case .vendorCredit: nil
    }
  }

  /// The identifier within the account.
  ///
  /// QuickBooks promises that an `Id` is unique among documents of one kind only.
  func identifier(_ id: String) -> String {
    switch self {
    case .invoice: id
    case .creditMemo: "creditmemo/" + id
    case .bill: "bill/" + id
    case .vendorCredit: "vendorcredit/" + id
    }
  }
}
