/// Invoices as Xero writes them, three lines and some 1.5 KB each, as static pages.
struct SyncPages {
  let invoices: Int
  let pageSize: Int

  var count: Int { (invoices + pageSize - 1) / pageSize }

  /// What a server serves, by file name.
  var files: [String: String] {
    var files = [
      "connections.json":
        #"[{"tenantId":"t","tenantName":"Bench","tenantType":"ORGANISATION"}]"#,
      // What is answered to who asks for changes.
      "page-0.json": envelope([]),
    ]
    for page in 1...count {
      let first = (page - 1) * pageSize
      files["page-\(page).json"] = envelope(
        (first..<min(first + pageSize, invoices)).map(invoice))
    }
    return files
  }

  private func envelope(_ rows: [String]) -> String {
    #"{"Id":"x","Status":"OK","pagination":{"page":1,"pageSize":\#(pageSize),"pageCount":\#(rows.isEmpty ? 0 : count),"itemCount":\#(invoices)},"Invoices":[\#(rows.joined(separator: ","))]}"#
  }

  private func invoice(_ number: Int) -> String {
    let lines = (0..<3).map { line in
      #"{"LineItemID":"\#(identifier(number * 4 + line + 1))","ItemCode":"ITEM-\#(line)","Description":"Paint, blue, in tins of \#(number % 97) litres, delivered to the yard","UnitAmount":\#(number % 900 + 1).2500,"TaxType":"OUTPUT2","TaxAmount":\#(number % 90).05,"LineAmount":\#(number % 900 + 1).25,"AccountCode":"200","Quantity":1.0000,"Tracking":[]}"#
    }
    let day = String(number % 28 + 1 + 100).dropFirst()
    return
      #"{"Type":"ACCREC","InvoiceID":"\#(identifier(number * 4))","InvoiceNumber":"INV-\#(number)","Reference":"Order \#(number % 5_000)","Payments":[],"CreditNotes":[],"Prepayments":[],"Overpayments":[],"AmountDue":\#(number % 2_700).75,"AmountPaid":0.00,"AmountCredited":0.00,"CurrencyRate":1.0000000000,"IsDiscounted":false,"HasAttachments":false,"HasErrors":false,"Contact":{"ContactID":"\#(identifier(number % 1_000))","Name":"Customer number \#(number % 1_000) of the town","EmailAddress":"c\#(number % 1_000)@customers.example","Addresses":[],"Phones":[],"ContactGroups":[],"ContactPersons":[],"HasValidationErrors":false},"DateString":"2024-03-\#(day)T00:00:00","Date":"/Date(1709251200000+0000)/","DueDateString":"2024-04-\#(day)T00:00:00","DueDate":"/Date(1711929600000+0000)/","Status":"AUTHORISED","LineAmountTypes":"Exclusive","LineItems":[\#(lines.joined(separator: ","))],"SubTotal":\#(number % 2_700).60,"TotalTax":0.15,"Total":\#(number % 2_700).75,"UpdatedDateUTC":"/Date(\#(1_709_251_200_000 + number * 1_000)+0000)/","CurrencyCode":"EUR"}"#
  }

  private func identifier(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
