extension SampleInvoice {
  /// Returns the invoice as Xero writes it in a page of its list.
  ///
  /// - Parameters:
  ///   - payments: the payments that it has inside.
  ///   - credit: the credit note that is set against it.
  func xero(payments: [SamplePayment] = [], credit: SampleCredit? = nil) -> String {
    let text = Self.text
    let credited = credit?.amount ?? 0
    let paymentList = payments.map(\.inInvoice).joined(separator: ",")
    return
      #"{"Type":"\#(isBill ? "ACCPAY" : "ACCREC")","InvoiceID":"\#(id)","InvoiceNumber":"\#(number)","Reference":"\#(reference)","Payments":[\#(paymentList)],"CreditNotes":[\#(credit?.inInvoice ?? "")],"Prepayments":[],"Overpayments":[],"AmountDue":\#(text(total - paid - credited)),"AmountPaid":\#(text(paid)),"AmountCredited":\#(text(credited)),"CurrencyRate":1.0000000000,"IsDiscounted":false,"HasAttachments":false,"HasErrors":false,"Contact":\#(contact.xero),"DateString":"\#(Self.date(issueDay))T00:00:00","Date":"/Date(\#(issueDay * 86_400_000)+0000)/","DueDateString":"\#(Self.date(dueDay))T00:00:00","DueDate":"/Date(\#(dueDay * 86_400_000)+0000)/","Status":"\#(status)","LineAmountTypes":"Exclusive","LineItems":[\#(lines.map(\.xero).joined(separator: ","))],"SubTotal":\#(text(subtotal)),"TotalTax":\#(text(tax)),"Total":\#(text(total)),"UpdatedDateUTC":"/Date(\#(updatedAt)000+0000)/","CurrencyCode":"\#(currency)"}"#
  }

  /// The invoice as a payment and an allocation name it.
  fileprivate var asDocument: String {
    #"{"Type":"\#(isBill ? "ACCPAY" : "ACCREC")","InvoiceID":"\#(id)","InvoiceNumber":"\#(number)","Payments":[],"CreditNotes":[],"Prepayments":[],"Overpayments":[],"HasErrors":false,"IsDiscounted":false,"Contact":{"ContactID":"\#(contact.id)","ContactNumber":"","Name":"\#(contact.name)","Addresses":[],"Phones":[],"ContactGroups":[],"ContactPersons":[],"HasValidationErrors":false},"LineItems":[],"CurrencyCode":"\#(currency)"}"#
  }
}

extension SampleInvoice.Line {
  fileprivate var xero: String {
    let text = SampleInvoice.text
    return
      #"{"LineItemID":"\#(id)","Description":"\#(description)","UnitAmount":\#(text(unitAmount))00,"TaxType":"OUTPUT2","TaxAmount":\#(text(taxAmount)),"LineAmount":\#(text(amount)),"AccountCode":"\#(accountCode)","Tracking":[],"Quantity":\#(quantity).0000}"#
  }
}

extension SampleContact {
  fileprivate var xero: String {
    #"{"ContactID":"\#(id)","Name":"\#(name)","EmailAddress":"\#(email)","Addresses":[],"Phones":[],"ContactGroups":[],"ContactPersons":[],"HasValidationErrors":false}"#
  }

  /// Returns a row of the list of contacts.
  ///
  /// - Parameter updatedAt: seconds since 1970.
  func row(updatedAt: Int) -> String {
    let phones = ["DDI", "DEFAULT", "FAX", "MOBILE"].map { kind in
      let number = kind == "DEFAULT" ? "5551234" : ""
      return
        #"{"PhoneType":"\#(kind)","PhoneNumber":"\#(number)","PhoneAreaCode":"","PhoneCountryCode":""}"#
    }
    return
      #"{"ContactID":"\#(id)","ContactStatus":"ACTIVE","Name":"\#(name)","EmailAddress":"\#(email)","BankAccountDetails":"","Addresses":[{"AddressType":"STREET","City":"","Region":"","PostalCode":"","Country":""},{"AddressType":"POBOX","AddressLine1":"1 Market Square","City":"Bern","Region":"","PostalCode":"3000","Country":"CH"}],"Phones":[\#(phones.joined(separator: ","))],"UpdatedDateUTC":"/Date(\#(updatedAt)000+0000)/","ContactGroups":[],"IsSupplier":false,"IsCustomer":true,"ContactPersons":[],"HasAttachments":false,"HasValidationErrors":false}"#
  }
}

/// A payment of an invoice.
struct SamplePayment {
  let id: String
  /// Days since 1970.
  let day: Int
  /// In hundredths.
  let amount: Int
  /// Seconds since 1970.
  let updatedAt: Int

  /// The payment as its invoice has it inside.
  fileprivate var inInvoice: String {
    #"{"PaymentID":"\#(id)","Date":"/Date(\#(day * 86_400_000)+0000)/","Amount":\#(SampleInvoice.text(amount)),"Reference":"","CurrencyRate":1.000000,"HasAccount":false,"HasValidationErrors":false}"#
  }

  /// Returns a row of the list of payments.
  func row(of invoice: SampleInvoice) -> String {
    let text = SampleInvoice.text(amount)
    return
      #"{"PaymentID":"\#(id)","Date":"/Date(\#(day * 86_400_000)+0000)/","BankAmount":\#(text),"Amount":\#(text),"Reference":"\#(invoice.reference)","CurrencyRate":1.000000,"PaymentType":"\#(invoice.isBill ? "ACCPAYPAYMENT" : "ACCRECPAYMENT")","Status":"AUTHORISED","UpdatedDateUTC":"/Date(\#(updatedAt)000+0000)/","HasAccount":true,"IsReconciled":true,"Account":{"AccountID":"5690f1e8-1d02-4893-90c2-ee1a69eff942","Code":"970"},"Invoice":\#(invoice.asDocument),"HasValidationErrors":false}"#
  }
}

/// A credit note that is set against an invoice, all of it.
struct SampleCredit {
  let id: String
  let number: String
  let allocation: String
  /// Days since 1970.
  let day: Int
  /// In hundredths.
  let amount: Int
  /// Seconds since 1970.
  let updatedAt: Int

  /// The credit note as the invoice has it inside.
  fileprivate var inInvoice: String {
    #"{"CreditNoteID":"\#(id)","CreditNoteNumber":"\#(number)","ID":"\#(id)","HasErrors":false,"AppliedAmount":\#(SampleInvoice.text(amount)),"DateString":"\#(SampleInvoice.date(day))T00:00:00","Date":"/Date(\#(day * 86_400_000)+0000)/","LineItems":[],"Total":\#(SampleInvoice.text(amount))}"#
  }

  /// Returns a row of the list of credit notes.
  func row(of invoice: SampleInvoice) -> String {
    let text = SampleInvoice.text(amount)
    let line =
      #"{"LineItemID":"\#(allocation)","Description":"Returned goods","UnitAmount":\#(text)00,"TaxType":"NONE","TaxAmount":0.00,"LineAmount":\#(text),"AccountCode":"200","Tracking":[],"Quantity":1.0000}"#
    return
      #"{"CreditNoteID":"\#(id)","CreditNoteNumber":"\#(number)","Payments":[],"ID":"\#(id)","CurrencyRate":1.000000,"Type":"\#(invoice.isBill ? "ACCPAYCREDIT" : "ACCRECCREDIT")","Reference":"","RemainingCredit":0.00,"Allocations":[{"AllocationID":"\#(allocation)","Amount":\#(text),"Date":"/Date(\#(day * 86_400_000)+0000)/","Invoice":\#(invoice.asDocument)}],"HasAttachments":false,"Contact":\#(invoice.contact.xero),"DateString":"\#(SampleInvoice.date(day)) 00:00:00","Date":"/Date(\#(day * 86_400_000)+0000)/","Status":"PAID","LineAmountTypes":"NoTax","LineItems":[\#(line)],"SubTotal":\#(text),"TotalTax":0.00,"Total":\#(text),"UpdatedDateUTC":"/Date(\#(updatedAt)000+0000)/","CurrencyCode":"\#(invoice.currency)"}"#
  }
}
