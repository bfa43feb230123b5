import Models
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The tax, payments and credits of an invoice of Xero's, after its documentation.
@Suite(.timeLimit(.minutes(10))) struct XeroReadingTests {
  private static let invoice = """
    {"Type":"ACCREC","InvoiceID":"243216c5-369e-4056-ac67-05388f86dc81","InvoiceNumber":"OIT00546",
     "Reference":"Ref MK815","Prepayments":[{"PrepaymentID":"p1","Date":"/Date(1518685950940+0000)/",
      "AppliedAmount":200.00,"Total":500.00}],
     "Overpayments":[],"CreditNotes":[{"CreditNoteID":"3e5","CreditNoteNumber":"CN-1","ID":"3e5",
      "AppliedAmount":25.00,"Total":25.00}],
     "Payments":[{"Date":"/Date(1518685950940+0000)/","Amount":1000.00,
      "PaymentID":"0d666415-cf77-43fa-80c7-56775591d426","Reference":"bank"}],
     "AmountDue":800.04,"AmountPaid":1000.00,"AmountCredited":225.00,"HasAttachments":true,
     "Contact":{"ContactID":"025867f1","Name":"City Agency","Addresses":[{"AddressType":"STREET"}],
      "Phones":[],"ContactGroups":[]},
     "DateString":"2018-02-16T00:00:00","DueDateString":"2018-03-02T00:00:00","Status":"AUTHORISED",
     "LineAmountTypes":"\(types)","LineItems":[
      {"Description":"Consulting","UnitAmount":1000.00,"TaxType":"OUTPUT2","TaxAmount":225.00,
       "LineAmount":1500.00,"AccountCode":"200","Quantity":1.5000,"LineItemID":"52208ff9"},
      {"Description":"Travel","TaxType":"OUTPUT2","TaxAmount":15.005,"LineAmount":100.035},
      {"Description":"Stamps","TaxType":"NONE","TaxAmount":0.00,"LineAmount":185.00}],
     "SubTotal":1785.035,"TotalTax":240.005,"Total":2025.04,
     "UpdatedDateUTC":"/Date(1518685950940+0000)/","CurrencyCode":"NZD"}
    """
  private static let types = "TYPES"

  private func read(_ types: String) throws -> Invoice {
    var reader = JSONReader(Array(Self.invoice.replacing(Self.types, with: types).utf8))
    return try #require(try XeroInvoices.read(&reader))
  }

  @Test("the tax by code is the sum of the lines' taxes, of amounts without tax")
  func tax() throws {
    let exclusive = try read("Exclusive")
    // Xero states no breakdown, and none is stored.
    #expect(exclusive.taxBreakdown.isEmpty)
    #expect(exclusive.taxByLine.map(\.name) == ["OUTPUT2", "NONE"])
    #expect(exclusive.taxByLine.map(\.taxAmount.description) == ["240.005", "0.00"])
    #expect(exclusive.taxByLine.map(\.taxableAmount?.description) == ["1600.035", "185.00"])
    #expect(ExactDecimal.sum(exclusive.taxByLine.map(\.taxAmount)) == exclusive.totalTax)
    let inclusive = try read("Inclusive").taxByLine
    #expect(inclusive.map(\.taxableAmount?.description) == ["1360.030", "185.00"])
  }

  @Test("payments are listed, and credits and prepayments are known by their sum")
  func payments() throws {
    let invoice = try read("Exclusive")
    #expect(invoice.payments.map(\.amount.description) == ["1000.00"])
    #expect(invoice.payments.map(\.reference) == ["bank"])
    #expect(invoice.amountPaid?.description == "1000.00")
    #expect(invoice.amountCredited?.description == "225.00" && invoice.status == .partiallyPaid)
    // That there are some says neither which nor where.
    #expect(invoice.attachments.isEmpty && invoice.ownParty == nil)
    #expect(invoice.contact == Party(id: "025867f1", name: "City Agency"))
    #expect(invoice.arithmeticFindings.isEmpty)
  }
}
