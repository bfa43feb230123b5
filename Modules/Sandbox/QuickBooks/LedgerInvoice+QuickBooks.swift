import Models

extension LedgerInvoice {
  var quickBooksKind: String {
    switch kind {
    case .sale: "Invoice"
    case .bill: "Bill"
    case .saleCredit: "CreditMemo"
    case .billCredit: "VendorCredit"
    }
  }

  /// Writes the document in QuickBooks' form; a voided one has lost its amounts.
  func writeQuickBooks(to writer: inout JSONWriter) {
    let isVoid = status == .void
    writer.object { writer in
      writer.member("domain", "QBO")
      writer.member("sparse", false)
      writer.member("Id", id)
      writer.member("SyncToken", "0")
      writer.quickBooksUpdate(updatedAt)
      writer.member(ifPresent: number, "DocNumber")
      writer.member(ifPresent: date?.description, "TxnDate")
      writer.member(ifPresent: dueDate?.description, "DueDate")
      writeReference(currencyCode, nil, "CurrencyRef", to: &writer)
      if let exchangeRate { writer.member("ExchangeRate", exchangeRate) }
      writeReference(
        contact.id, contact.name, isPurchase ? "VendorRef" : "CustomerRef", to: &writer)
      if let address = contact.emailAddress, !isPurchase {
        writer.object("BillEmail") { $0.member("Address", address) }
      }
      if let reference, !reference.isEmpty {
        writer.array("CustomField") { writer in
          writer.object { writer in
            writer.member("DefinitionId", "1")
            writer.member("Name", "P.O. Number")
            writer.member("Type", "StringType")
            writer.member("StringValue", reference)
          }
        }
      }
      writer.array("Line") { writer in
        for line in lines {
          line.writeQuickBooks(isPurchase: isPurchase, isVoid: isVoid, to: &writer)
        }
        if !isPurchase { writeSum(isVoid: isVoid, to: &writer) }
      }
      writer.object("TxnTaxDetail") { $0.member("TotalTax", isVoid ? .zero : totalTax) }
      if isVoid { writer.member("PrivateNote", "Voided") }
      writer.member("TotalAmt", isVoid ? .zero : total)
      writer.member("Balance", isVoid ? .zero : amountDue)
      writer.member("HomeTotalAmt", isVoid ? .zero : home(total))
      writer.member("HomeBalance", isVoid ? .zero : home(amountDue))
    }
  }

  private func writeSum(isVoid: Bool, to writer: inout JSONWriter) {
    let sum = ExactDecimal.sum(lines.compactMap(\.lineAmount)) ?? .zero
    writer.object { writer in
      writer.member("Amount", isVoid ? .zero : sum)
      writer.member("DetailType", "SubTotalLineDetail")
      writer.object("SubTotalLineDetail") { _ in }
    }
  }
}

extension ContactEntry {
  /// Writes a customer or a vendor in QuickBooks' form.
  func writeQuickBooks(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("domain", "QBO")
      writer.member("sparse", false)
      writer.member("Id", contact.id)
      writer.member("SyncToken", "0")
      writer.quickBooksUpdate(updatedAt)
      writer.member(ifPresent: contact.name, "DisplayName")
      writer.member("Active", isLive)
      if let address = contact.emailAddress {
        writer.object("PrimaryEmailAddr") { $0.member("Address", address) }
      }
    }
  }
}

extension LedgerSettlement {
  /// Writes a payment in QuickBooks' form; a voided one has lost its amounts.
  func writeQuickBooks(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("domain", "QBO")
      writer.member("sparse", false)
      writer.member("Id", id)
      writer.member("SyncToken", "0")
      writer.quickBooksUpdate(updatedAt)
      writer.member(ifPresent: date?.description, "TxnDate")
      writeReference(invoice.currencyCode, nil, "CurrencyRef", to: &writer)
      let contact = invoice.contact
      writeReference(
        contact.id, contact.name, invoice.isPurchase ? "VendorRef" : "CustomerRef", to: &writer)
      if invoice.isPurchase {
        writer.member("PayType", "Check")
        writer.member("DocNumber", number)
      } else {
        writeReference("2", "Check", "PaymentMethodRef", to: &writer)
        writer.member("PaymentRefNum", number)
        writer.member("UnappliedAmt", isVoid || isQuickBooksNote ? .zero : rest)
      }
      // Only the lines say that a credit is used.
      writer.member("TotalAmt", isVoid || isQuickBooksNote ? .zero : total)
      if isVoid { writer.member("PrivateNote", "Voided") }
      writer.array("Line") { writer in
        guard !isVoid else { return }
        for (id, kind) in quickBooksLinks {
          writer.object { writer in
            writer.member("Amount", amount)
            writer.array("LinkedTxn") { writer in
              writer.object { writer in
                writer.member("TxnId", id)
                writer.member("TxnType", kind)
              }
            }
          }
        }
      }
    }
  }

  /// True if the books hold its credit note as a document.
  private var isQuickBooksNote: Bool {
    invoice.isVaried && (kind == .creditNote || kind == .refund)
  }

  /// The transactions that a payment links: what it pays, and what it pays with.
  private var quickBooksLinks: [(id: String, kind: String)] {
    let note = invoice.isPurchase ? "VendorCredit" : "CreditMemo"
    if let creditNoteID { return [(creditNoteID, note), ("1", "Check")] }
    let paid = (invoice.id, invoice.quickBooksKind)
    return isQuickBooksNote ? [paid, (id, note)] : [paid]
  }
}

extension JSONWriter {
  mutating func quickBooksUpdate(_ instant: Timestamp) {
    object("MetaData") { $0.member("LastUpdatedTime", QuickBooksTime.text(instant)) }
  }
}

extension LedgerLine {
  fileprivate func writeQuickBooks(isPurchase: Bool, isVoid: Bool, to writer: inout JSONWriter) {
    let detail = isPurchase ? "ItemBasedExpenseLineDetail" : "SalesItemLineDetail"
    writer.object { writer in
      writer.member("Id", id)
      writer.member(ifPresent: description, "Description")
      if let lineAmount { writer.member("Amount", isVoid ? .zero : lineAmount) }
      writer.member("DetailType", detail)
      writer.object(detail) { writer in
        if let quantity { writer.member("Qty", isVoid ? .zero : quantity) }
        if let unitAmount { writer.member("UnitPrice", isVoid ? .zero : unitAmount) }
        if let itemCode { writeReference(itemCode, description, "ItemRef", to: &writer) }
        if let region { writeReference("1", region, "ClassRef", to: &writer) }
        if let discountRate { writer.member("DiscountRate", discountRate) }
        if let taxType { writeReference(taxType, taxName, "TaxCodeRef", to: &writer) }
        if let accountCode, !isPurchase {
          writeReference(accountCode, accountName, "ItemAccountRef", to: &writer)
        }
      }
    }
  }
}

private func writeReference(
  _ value: String, _ name: String?, _ key: String, to writer: inout JSONWriter
) {
  writer.object(key) { writer in
    writer.member("value", value)
    writer.member(ifPresent: name, "name")
  }
}

/// Instants in QuickBooks' form: in the company's time zone, to the second.
enum QuickBooksTime {
  /// The company's offset from UTC, in hours.
  private static let zone = -8

  static func text(_ instant: Timestamp) -> String {
    instant.truncatedToSecond.adding(seconds: Int64(zone * 3_600)).description.dropLast()
      + "-08:00"
  }

  /// Parses an instant, or a day, which begins in UTC.
  static func instant(_ text: String) -> Timestamp? {
    Timestamp(text) ?? Timestamp(text + "T00:00:00Z")
  }
}
