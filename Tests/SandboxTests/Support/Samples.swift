import Models

@testable import Sandbox

/// An invoice with little in it, to change one thing of.
func sampleInvoice(
  id: String, milliseconds: Int64 = 0, status: LedgerInvoice.Status = .open
) -> LedgerInvoice {
  LedgerInvoice(
    kind: .sale, id: id, contact: LedgerContact(id: "contact"),
    date: CalendarDate("2020-04-21"), status: status, taxBasis: .exclusive, lines: [],
    subTotal: .zero, totalTax: .zero, total: .zero, amountDue: .zero, amountPaid: .zero,
    amountCredited: .zero, currencyCode: "CAD", currencyRate: ExactDecimal(1),
    isDiscounted: false, hasAttachments: false, hasErrors: false,
    updatedAt: Timestamp(microsecondsSinceEpoch: milliseconds * 1_000))
}

/// A ledger of its own whose clock stands still.
func sampleLedger(_ invoices: [LedgerInvoice], now milliseconds: Int64 = 0) -> InvoiceLedger {
  InvoiceLedger(
    invoices, generator: InvoiceGenerator(seed: 1),
    now: { Timestamp(microsecondsSinceEpoch: milliseconds * 1_000) })
}
