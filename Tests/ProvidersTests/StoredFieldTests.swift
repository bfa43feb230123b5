import Foundation
import Models
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The fields that bookkeepers need beside the totals, from each provider's answers.
@Suite(.timeLimit(.minutes(10))) struct StoredFieldTests {
  private func day(_ text: String) -> CalendarDate? { CalendarDate(text) }

  private func xero(_ members: String, line: String = "") throws -> Invoice {
    let row = """
      {"Type":"ACCREC","InvoiceID":"1","UpdatedDateUTC":"/Date(1518685950940+0000)/",
       "CurrencyCode":"USD","Total":900.00,"SubTotal":900.00,"LineAmountTypes":"Exclusive",
       "LineItems":[{"Quantity":10,"UnitAmount":100,"LineAmount":900.00\(line)}]\(members)}
      """
    let page = try XeroPage<XeroInvoices>(Array(#"{"Invoices":[\#(row)]}"#.utf8), capacity: 1)
    return try #require(page.records.first, "\(page.failures)")
  }

  @Test("Xero: rate, days, withholding, and a line's discount, item and tracking")
  func xero() throws {
    let invoice = try xero(
      """
      ,"CurrencyRate":0.752950,"FullyPaidOnDate":"/Date(1518685950940+0000)/",
      "ExpectedPaymentDate":"2018-03-01T00:00:00","CISDeduction":20.00,"HasAttachments":true
      """,
      line: """
        ,"DiscountRate":10.00,"ItemCode":"DEV","Item":{"Name":"Development","ItemID":"i"},
        "TaxType":"DRCHARGESUPPLY20","Tracking":[{"Name":"Region","Option":"North"},
        {"Name":"Class","Option":"Garden","TrackingCategoryID":"t"}]
        """)
    #expect(invoice.home.inverseExchangeRate?.description == "0.752950")
    #expect(invoice.home.currency == nil && invoice.home.exchangeRate == nil)
    #expect(invoice.paidDate == day("2018-02-15"))
    #expect(invoice.expectedPaymentDate == day("2018-03-01") && invoice.hasAttachments == true)
    #expect(invoice.withheldAmount?.description == "20.00" && invoice.isReverseCharge == true)
    let line = try #require(invoice.lines.first)
    #expect(line.discountRate?.description == "10.00" && line.itemCode == "DEV")
    #expect(line.itemName == "Development")
    #expect(line.tracking == "Region: North; Class: Garden")
    #expect(invoice.arithmeticFindings.isEmpty)
    // Without the rate, nothing says why ten for a hundred each are 900.
    #expect(try xero("").arithmeticFindings.map(\.rule) == [.lineAmount])
    #expect(try xero("").isReverseCharge == nil)
  }

  @Test("Xero: a contact's address, numbers and website")
  func xeroContact() throws {
    let row = """
      {"ContactID":"c","ContactStatus":"ACTIVE","UpdatedDateUTC":"/Date(1518685950940+0000)/",
       "AccountNumber":"K-7","CompanyNumber":"HRB 1","Website":"https://a.example",
       "Addresses":[{"AddressType":"STREET","AddressLine1":"1 Yard"},
        {"AddressType":"POBOX","AddressLine1":"PO Box 1","AddressLine2":"","City":"Bern",
         "Region":"BE","PostalCode":"3000","Country":"CH","AttentionTo":"Ada"}],
       "Phones":[{"PhoneType":"MOBILE","PhoneNumber":"12","PhoneAreaCode":"79"},
        {"PhoneType":"DEFAULT","PhoneNumber":"34"},{"PhoneType":"FAX","PhoneNumber":"56"}]}
      """
    let page = try XeroPage<XeroContacts>(Array(#"{"Contacts":[\#(row)]}"#.utf8), capacity: 1)
    let contact = try #require(page.records.first)
    #expect(contact.accountNumber == "K-7" && contact.companyNumber == "HRB 1")
    #expect(contact.website == "https://a.example")
    #expect(contact.phone == "34" && contact.mobile == "79 12")
    #expect(
      contact.address
        == PostalAddress(
          lines: ["PO Box 1"], city: "Bern", postalCode: "3000", region: "BE", country: "CH"))
    #expect(contact.deliveryAddress == PostalAddress(lines: ["1 Yard"]))
    let street = row.replacing("POBOX", with: "DELIVERY")
    let other = try XeroPage<XeroContacts>(
      Array(#"{"Contacts":[\#(street)]}"#.utf8), capacity: 1)
    #expect(other.records.first?.address?.lines == ["1 Yard"])
    #expect(other.records.first?.deliveryAddress == nil)
  }

  @Test("QuickBooks: rate and home amounts, order and custom fields, classes and withholding")
  func quickbooks() throws {
    let row = """
      {"Id":"1","MetaData":{"LastUpdatedTime":"2024-01-01T00:00:00Z"},"TotalAmt":119,"Balance":19,
       "CurrencyRef":{"value":"EUR"},"ExchangeRate":1.0835,"HomeTotalAmt":128.94,"HomeBalance":20.59,
       "PONumber":"PO-1","DepartmentRef":{"value":"3","name":"Berlin"},"LessCIS":4.5,
       "TaxExemptionRef":{"value":"9","name":"Resale"},
       "CustomField":[{"DefinitionId":"1","Name":"Site","Type":"StringType","StringValue":"Quay"},
        {"DefinitionId":"2","Name":"Days","Type":"NumberType","NumberValue":3},
        {"DefinitionId":"3","Name":"Empty","Type":"StringType"}],
       "Line":[{"Amount":90,"DetailType":"SalesItemLineDetail","SalesItemLineDetail":{"Qty":10,
         "UnitPrice":10,"DiscountRate":10,"ItemRef":{"value":"5","name":"Paint"},
         "ItemAccountRef":{"value":"79","name":"Sales"},"TaxCodeRef":{"value":"TAX"},
         "ClassRef":{"value":"2","name":"Garden"},"ServiceDate":"2024-01-05"}},
        {"Amount":-6.5,"DetailType":"TDSLineDetail","TDSLineDetail":{"TDSSectionTypeId":1}}]}
      """
    let page = try QuickBooksPage<QuickBooksInvoices>(
      Array(#"{"QueryResponse":{"Invoice":[\#(row)]},"time":"2024-01-02T00:00:00Z"}"#.utf8),
      of: .invoice, homeCurrency: "USD")
    let invoice = try #require(page.records.first, "\(page.failures)")
    #expect(invoice.home.currency?.code == "USD")
    #expect(invoice.home.exchangeRate?.description == "1.0835")
    #expect(invoice.home.total?.description == "128.94")
    #expect(invoice.home.amountDue?.description == "20.59" && invoice.orderNumber == "PO-1")
    #expect(invoice.withheldAmount?.description == "4.5" && invoice.taxExemption == "Resale")
    #expect(invoice.customFields.map(\.name) == ["Site", "Days"])
    #expect(invoice.customFields.map(\.value) == ["Quay", "3"])
    let line = try #require(invoice.lines.first)
    #expect(line.discountRate?.description == "10" && line.itemCode == "5")
    #expect(line.itemName == "Paint" && line.tracking == "Class: Garden; Location: Berlin")
    #expect(line.accountCode == "79" && line.accountName == "Sales")
    #expect(line.taxType == "TAX" && line.taxName == nil)
    #expect(line.periodStart == day("2024-01-05") && line.periodEnd == day("2024-01-05"))
    #expect(invoice.lines.count == 2)
    let withheld = try QuickBooksPage<QuickBooksInvoices>(
      Array(
        #"{"QueryResponse":{"Invoice":[\#(row.replacing("LessCIS", with: "X"))]},"time":"2024-01-02T00:00:00Z"}"#
          .utf8), of: .invoice, homeCurrency: "USD")
    #expect(withheld.records.first?.withheldAmount?.description == "6.5")
  }

  @Test("Stripe: the day of payment, periods of lines, exemption and custom fields")
  func stripe() throws {
    var reader = JSONReader(
      Array(
        """
        {"id":"in_1","status":"paid","currency":"eur","total":1000,"amount_paid":1000,
         "status_transitions":{"paid_at":1717243200},"customer_tax_exempt":"reverse",
         "custom_fields":[{"name":"Cost centre","value":"42"}],
         "total_tax_amounts":[{"amount":0,"inclusive":false,"taxability_reason":"reverse_charge",
          "tax_rate":"txr_1"}],
         "lines":{"data":[
          {"id":"il_1","amount":600,"quantity":1,"proration":true,
           "price":{"unit_amount_decimal":"1000","product":"prod_1","nickname":"Gold",
            "transform_quantity":null},"period":{"start":1717200000,"end":1719792000}},
          {"id":"il_2","amount":400,"quantity":25,"price":{"unit_amount":160,
            "transform_quantity":{"divide_by":10,"round":"up"}},
           "period":{"start":1717200000,"end":1717200000}}]}}
        """.utf8))
    guard case .record(let invoice, _) = try StripeInvoices.read(&reader, in: .gmt) else {
      Issue.record("it counts as deleted")
      return
    }
    #expect(invoice.paidDate == day("2024-06-01") && invoice.isReverseCharge == true)
    #expect(invoice.taxExemption == "reverse")
    #expect(invoice.taxBreakdown.map(\.exemptionReason) == ["reverse_charge"])
    #expect(invoice.customFields == [CustomField(name: "Cost centre", value: "42")])
    #expect(invoice.lines.map(\.periodStart) == [day("2024-06-01"), nil])
    #expect(invoice.lines.map(\.periodEnd) == [day("2024-07-01"), nil])
    #expect(invoice.lines.map(\.itemCode) == ["prod_1", nil])
    #expect(invoice.lines.map(\.itemName) == ["Gold", nil])
    // Neither is the price of one: of a whole period, and of a package.
    #expect(invoice.lines.map(\.unitAmount) == [nil, nil])
    #expect(invoice.arithmeticFindings.map(\.rule).contains(.lineAmount) == false)
  }

  @Test("Square: modifiers in price and text, charges of lines, custom fields, day of the service")
  func square() throws {
    let list = SquareSamples.page.replacing(
      #""custom_fields": []"#,
      with:
        #""custom_fields": [{"label":"Site","value":"Quay"}],"sale_or_service_date":"2030-01-10""#
    )
    let page = try SquarePage(Array(list.utf8))
    let invoice = try #require(page.invoices.first)
    #expect(invoice.customFields == [CustomField(name: "Site", value: "Quay")])
    #expect(invoice.periodStart == day("2030-01-10") && invoice.periodEnd == day("2030-01-10"))
    func money(_ amount: Int) -> String { #"{"amount":\#(amount),"currency":"USD"}"# }
    var reader = JSONReader(
      Array(
        """
        {"id":"o","line_items":[{"uid":"l","name":"Latte","quantity":"2","catalog_object_id":"CAT1",
          "base_price_money":\(money(400)),"total_service_charge_money":\(money(50)),
          "modifiers":[{"name":"Oat milk","base_price_money":\(money(60))},
           {"name":"Shot","quantity":"2","base_price_money":\(money(25))}],
          "total_tax_money":\(money(0)),"total_money":\(money(1070))}]}
        """.utf8))
    let completed = try SquareOrder(&reader).completing(invoice, in: .gmt)
    let line = try #require(completed.lines.first)
    #expect(line.description == "Latte (Oat milk, Shot)" && line.itemCode == "CAT1")
    #expect(line.unitAmount?.description == "5.10" && line.chargeAmount?.description == "0.50")
    #expect(!completed.arithmeticFindings.map(\.rule).contains(.lineAmount))
  }

  @Test("Moneybird: home amounts, discount, periods, projects and the text of a reverse charge")
  func moneybird() throws {
    let body = MoneybirdSamples.invoice
      .replacing(#""discount": "0.0""#, with: #""discount": "10.0""#)
      .replacing(#""paid_at": null"#, with: #""paid_at": "2026-09-01""#)
      .replacing(#""currency": "EUR""#, with: #""currency": "USD""#)
      .replacing(
        #""total_price_incl_tax_base": "363.12""#, with: #""total_price_incl_tax_base": "333.00""#
      )
      .replacing(
        #""total_price_excl_tax_base": "300.10""#, with: #""total_price_excl_tax_base": "275.00""#
      )
      .replacing(
        #""period": null"#,
        with:
          #""period":"202606..202607","product_id":"5","project_id":"6","mandatory_tax_text":"btw verlegd""#
      )
      .replacing(
        #""url": "https://moneybird.test/123/x", "custom_fields": []"#,
        with: #""custom_fields": [{"id":"1","name":"Site","value":"Quay"}]"#)
    let page = try MoneybirdPage<MoneybirdInvoices>(Array(body.utf8), sentAt: nil)
    let invoice = try #require(page.records.first, "\(page.failures)")
    #expect(invoice.home.total?.description == "333.00")
    #expect(invoice.home.subtotal?.description == "275.00")
    #expect(invoice.home.totalTax?.description == "58.00")
    #expect(invoice.home.amountDue?.description == "243.12" && invoice.home.currency == nil)
    #expect(invoice.paidDate == day("2026-09-01") && invoice.taxExemption == "btw verlegd")
    #expect(invoice.customFields == [CustomField(name: "Site", value: "Quay")])
    let line = try #require(invoice.lines.first)
    #expect(line.discountRate?.description == "10.0" && line.itemCode == "5")
    #expect(line.tracking == "Project: 6")
    #expect(line.periodStart == day("2026-06-01") && line.periodEnd == day("2026-07-31"))
    let days = try MoneybirdPage<MoneybirdInvoices>(
      Array(body.replacing("202606..202607", with: "20260605..20260704").utf8), sentAt: nil)
    #expect(days.records.first?.lines.first?.periodStart == day("2026-06-05"))
    #expect(days.records.first?.lines.first?.periodEnd == day("2026-07-04"))
  }
}
