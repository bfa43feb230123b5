import Models

extension LedgerInvoice {
  /// Writes the invoice as an element of the `Invoices` array.
  func write(to writer: inout JSONWriter, unitDecimals: Int = .max) {
    writer.object { writer in
      writer.member("Type", kind.xero)
      writer.member("InvoiceID", id)
      writer.member(ifPresent: number, "InvoiceNumber")
      writer.member(ifPresent: reference, "Reference")
      for name in ["Payments", "CreditNotes", "Prepayments", "Overpayments"] {
        writer.array(name) { _ in }
      }
      writer.member("AmountDue", amountDue)
      writer.member("AmountPaid", amountPaid)
      writer.member("AmountCredited", amountCredited)
      writer.member("CurrencyRate", currencyRate)
      writer.member("IsDiscounted", isDiscounted)
      writer.member("HasAttachments", hasAttachments)
      writer.member("HasErrors", hasErrors)
      if let sentToContact { writer.member("SentToContact", sentToContact) }
      writer.member(ifPresent: url, "Url")
      writer.key("Contact")
      contact.write(to: &writer)
      writeDates(to: &writer)
      writer.member("Status", status.xero)
      writer.member("LineAmountTypes", taxBasis.xero)
      writer.array("LineItems") { writer in
        for line in lines { line.write(to: &writer, unitDecimals: unitDecimals) }
      }
      writer.member("SubTotal", subTotal)
      writer.member("TotalTax", totalTax)
      writer.member("Total", total)
      writer.member("UpdatedDateUTC", XeroDateText.json(updatedAt))
      writer.member("CurrencyCode", currencyCode)
    }
  }

  private func writeDates(to writer: inout JSONWriter) {
    writer.member(ifPresent: date.map(XeroDateText.text), "DateString")
    writer.member(ifPresent: date.map(XeroDateText.json), "Date")
    writer.member(ifPresent: dueDate.map(XeroDateText.text), "DueDateString")
    writer.member(ifPresent: dueDate.map(XeroDateText.json), "DueDate")
    writer.member(ifPresent: plannedPaymentDate.map(XeroDateText.json), "PlannedPaymentDate")
    writer.member(ifPresent: expectedPaymentDate.map(XeroDateText.json), "ExpectedPaymentDate")
    writer.member(ifPresent: fullyPaidOn.map(XeroDateText.json), "FullyPaidOnDate")
  }
}

extension LedgerInvoice.Kind {
  var xero: String {
    switch self {
    case .sale: "ACCREC"
    case .bill: "ACCPAY"
    case .saleCredit: "ACCRECCREDIT"
    case .billCredit: "ACCPAYCREDIT"
    }
  }

  init?(xero code: String) {
    guard let kind = Self.allCases.first(where: { $0.xero == code }) else { return nil }
    self = kind
  }
}

extension LedgerInvoice.Status {
  var xero: String {
    switch self {
    case .draft: "DRAFT"
    case .scheduled: "SUBMITTED"
    case .open: "AUTHORISED"
    case .paid: "PAID"
    case .void: "VOIDED"
    case .deleted: "DELETED"
    }
  }

  init?(xero code: String) {
    guard let status = Self.allCases.first(where: { $0.xero == code }) else { return nil }
    self = status
  }
}

extension LedgerInvoice.TaxBasis {
  var xero: String {
    switch self {
    case .exclusive: "Exclusive"
    case .inclusive: "Inclusive"
    case .noTax: "NoTax"
    }
  }

  init?(xero code: String) {
    guard let basis = Self.allCases.first(where: { $0.xero == code }) else { return nil }
    self = basis
  }
}

extension LedgerContact {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("ContactID", id)
      writer.member(ifPresent: name, "Name")
      writer.member(ifPresent: emailAddress, "EmailAddress")
    }
  }
}

extension LedgerLine {
  func write(to writer: inout JSONWriter, unitDecimals: Int) {
    writer.object { writer in
      writer.member("LineItemID", id)
      writer.member(ifPresent: itemCode, "ItemCode")
      writer.member(ifPresent: description, "Description")
      for (name, value) in [
        ("UnitAmount", unitAmount?.rounded(toScale: unitDecimals)), ("TaxAmount", taxAmount),
        ("LineAmount", lineAmount),
        ("Quantity", quantity), ("DiscountRate", discountRate),
      ] {
        if let value { writer.member(name, value) }
      }
      writer.member(ifPresent: taxType, "TaxType")
      writer.member(ifPresent: accountCode, "AccountCode")
      writer.array("Tracking") { writer in
        guard let region else { return }
        writer.object { writer in
          writer.member("Name", "Region")
          writer.member("Option", region)
        }
      }
    }
  }
}

enum XeroDateText {
  /// Returns the Microsoft JSON form, `/Date(1587912334083+0000)/`: milliseconds since 1970, UTC.
  static func json(_ instant: Timestamp) -> String {
    "/Date(\(instant.microsecondsSinceEpoch / 1_000)+0000)/"
  }

  /// Returns the same form for the midnight, in UTC, with which a day begins.
  static func json(_ day: CalendarDate) -> String {
    "/Date(\(day.daysSinceEpoch * 86_400_000)+0000)/"
  }

  /// Returns the readable form of a day, `2020-04-21T00:00:00`.
  static func text(_ day: CalendarDate) -> String {
    "\(day)T00:00:00"
  }
}
