import Models
public import Storage

extension CSVTable where Record == StoredContact {
  /// The table of contacts.
  public static var contacts: CSVTable {
    CSVTable(columns: [
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
      ("receivable", { ContactAmounts.receivable($0.balances).joined(separator: "; ") }),
      ("payable", { ContactAmounts.payable($0.balances).joined(separator: "; ") }),
    ])
  }
}
