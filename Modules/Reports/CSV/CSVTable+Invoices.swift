import Models
public import Storage

extension CSVTable where Record == StoredInvoice {
  /// The table of invoices.
  public static var invoices: CSVTable {
    CSVTable(columns: [
      ("account", { $0.account }),
      ("id", { $0.invoice.id }),
      ("number", { $0.invoice.number }),
      ("type", { $0.invoice.type.rawValue }),
      ("status", { $0.invoice.status.rawValue }),
      ("rawStatus", { $0.invoice.rawStatus }),
      ("contactID", { $0.invoice.contact.id }),
      ("contactName", { $0.invoice.contact.name }),
      ("contactEmail", { $0.invoice.contact.email }),
      ("currency", { $0.invoice.currency.code }),
      ("issueDate", { $0.invoice.issueDate?.description }),
      ("dueDate", { $0.invoice.dueDate?.description }),
      ("updatedAt", { $0.invoice.updatedAt?.description }),
      ("subtotal", { $0.invoice.subtotal?.description }),
      ("totalTax", { $0.invoice.totalTax?.description }),
      ("total", { $0.invoice.total.description }),
      ("amountPaid", { $0.invoice.amountPaid?.description }),
      ("amountCredited", { $0.invoice.amountCredited?.description }),
      ("amountDue", { $0.invoice.amountDue?.description }),
      ("reference", { $0.invoice.reference }),
      ("deletedAt", { $0.deletedAt?.description }),
      ("deletedReason", { $0.deletedReason }),
      ("contactTaxNumber", { $0.invoice.contact.taxNumber }),
      ("orderNumber", { $0.invoice.orderNumber }),
      ("periodStart", { $0.invoice.periodStart?.description }),
      ("periodEnd", { $0.invoice.periodEnd?.description }),
      ("version", { $0.invoice.version?.description }),
      ("lineTotal", { $0.invoice.lineTotal?.description }),
      ("allowanceTotal", { $0.invoice.allowanceTotal?.description }),
      ("chargeTotal", { $0.invoice.chargeTotal?.description }),
      ("roundingAmount", { $0.invoice.roundingAmount?.description }),
      ("linesIncludeTax", { $0.invoice.linesIncludeTax?.description }),
    ])
  }
}
