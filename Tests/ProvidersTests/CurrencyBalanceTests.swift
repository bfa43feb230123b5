import Foundation
import JSONReading
import Models
import Storage
import Sync
import TestSupport
import Testing

@testable import Providers

/// Balances of documents in another currency than the books, or than the account that paid them, in
/// the shapes that the vendors document.
@Suite(.timeLimit(.minutes(10))) struct CurrencyBalanceTests {
  private func withDatabase(_ body: (LocalDatabase) async throws -> Void) async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    try await body(database)
    try await database.close()
  }

  private func store<Record>(
    _ records: [Record], in store: ResourceStore<Record>
  ) async throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    page.records = store.encode(records)
    _ = try await run.commit([page])
  }

  private func balance(
    of id: String, in database: LocalDatabase
  ) async throws -> InvoiceBalance {
    try #require(try await database.invoices(named: id, account: "default").first?.balance)
  }

  /// The kinds and amounts of entries.
  private func parts(_ balance: InvoiceBalance) -> [String] {
    balance.entries.map { "\($0.kind.rawValue) \($0.amount)" }
  }

  private func rows<List: XeroList>(_: List.Type, _ rows: String) throws -> [List.Record] {
    let page = try XeroPage<List>(Array(#"{"\#(List.rows)":[\#(rows)]}"#.utf8), capacity: 10)
    #expect(page.failures.isEmpty, "\(page.failures)")
    return page.records
  }

  private func rows<List: QuickBooksList>(
    _: List.Type, _ kind: QuickBooksKind, _ rows: String
  ) throws -> [List.Record] {
    let body = """
      {"QueryResponse":{"\(kind.rawValue)":[\(rows)]},"time":"2026-03-01T00:00:00Z"}
      """
    let page = try QuickBooksPage<List>(Array(body.utf8), of: kind, homeCurrency: "GBP")
    #expect(page.failures.isEmpty, "\(page.failures)")
    return page.records
  }

  private static func xeroInvoice(
    _ id: String, type: String = "ACCREC", total: String, paid: String, credited: String = "0.00",
    due: String, status: String, payments: String = ""
  ) -> String {
    """
    {"Type":"\(type)","InvoiceID":"\(id)","InvoiceNumber":"N-\(id)","Reference":"",
    "Payments":[\(payments)],"CreditNotes":[],"Prepayments":[],"Overpayments":[],
    "AmountDue":\(due),"AmountPaid":\(paid),"AmountCredited":\(credited),"CurrencyRate":1.162791,
    "HasErrors":false,"IsDiscounted":false,"HasAttachments":false,"Contact":{"ContactID":"c",
    "Name":"Ada","Addresses":[],"Phones":[],"ContactGroups":[],"ContactPersons":[],
    "HasValidationErrors":false},"DateString":"2026-01-10T00:00:00",
    "Date":"/Date(1768003200000+0000)/","DueDateString":"2026-02-09T00:00:00",
    "DueDate":"/Date(1770595200000+0000)/","Status":"\(status)","LineAmountTypes":"NoTax",
    "LineItems":[],"SubTotal":\(total),"TotalTax":0.00,"Total":\(total),
    "UpdatedDateUTC":"/Date(1770595200000+0000)/","CurrencyCode":"EUR"}
    """
  }

  /// A payment of euros at an account of pounds, as the list of payments has it.
  private static func xeroPayment(
    _ id: String, _ amount: String, bank: String, rate: String, type: String = "ACCRECPAYMENT",
    of document: String, _ documentType: String = "ACCREC"
  ) -> String {
    """
    {"PaymentID":"\(id)","Date":"/Date(1770595200000+0000)/","BankAmount":\(bank),
    "Amount":\(amount),"Reference":"","CurrencyRate":\(rate),"PaymentType":"\(type)",
    "Status":"AUTHORISED","UpdatedDateUTC":"/Date(1770595200000+0000)/",
    "UpdatedDateUTCString":"2026-02-09T00:00:00Z","HasAccount":true,"IsReconciled":false,
    "Account":{"AccountID":"b","Code":"090","CurrencyCode":"GBP"},"Invoice":{"Type":"\(documentType)",
    "InvoiceID":"\(document)","InvoiceNumber":"N-\(document)","Payments":[],"CreditNotes":[],
    "Prepayments":[],"Overpayments":[],"HasErrors":false,"IsDiscounted":false,"Contact":{
    "ContactID":"c","ContactNumber":"","Name":"Ada","Addresses":[],"Phones":[],"ContactGroups":[],
    "ContactPersons":[],"HasValidationErrors":false},"LineItems":[],"CurrencyCode":"EUR"},
    "HasValidationErrors":false}
    """
  }

  @Test("Xero's payments count in the currency of the invoice, whichever account received them")
  func xero() async throws {
    try await withDatabase { database in
      let inside = """
        {"PaymentID":"p1","Date":"/Date(1770595200000+0000)/","Amount":60.00,"Reference":"",
        "CurrencyRate":1.176471,"HasAccount":false,"HasValidationErrors":false}
        """
      let invoices = [
        Self.xeroInvoice(
          "i", total: "100.00", paid: "60.00", due: "40.00", status: "AUTHORISED", payments: inside),
        Self.xeroInvoice(
          "b", type: "ACCPAY", total: "30.00", paid: "30.00", due: "0.00", status: "PAID"),
      ]
      try await store(
        try rows(XeroInvoices.self, invoices.joined(separator: ",")), in: database.invoiceStore)
      let payments = [
        Self.xeroPayment("p1", "60.00", bank: "51.00", rate: "1.176471", of: "i"),
        Self.xeroPayment(
          "p2", "30.00", bank: "26.10", rate: "1.149425", type: "ACCPAYPAYMENT", of: "b", "ACCPAY"),
      ]
      let read = try rows(XeroPayments.self, payments.joined(separator: ","))
      #expect(read.map(\.currency.code) == ["EUR", "EUR"])
      // Before the list of payments is synced, the invoice explains itself.
      #expect(try await parts(balance(of: "i", in: database)) == ["payment 60.00"])
      try await store(read, in: database.paymentStore())
      let balance = try await balance(of: "i", in: database)
      #expect(parts(balance) == ["payment 60.00"] && balance.unexplained.isZero)
      let bill = try await self.balance(of: "b", in: database)
      #expect(parts(bill) == ["payment 30.00"] && bill.unexplained.isZero)
      // Nor does another list count the amount of the bank.
      let listed = try await database.payments(matching: PaymentQuery())
      #expect(
        listed.map { "\($0.payment.amount) \($0.payment.currency)" }.sorted() == [
          "30.00 EUR", "60.00 EUR",
        ])
    }
  }

  @Test("Xero's refund of a credit note in another currency settles it in its own")
  func xeroRefund() async throws {
    try await withDatabase { database in
      let note = """
        {"CreditNoteID":"n","CreditNoteNumber":"CN-1","Payments":[{"PaymentID":"r",
        "Date":"/Date(1770595200000+0000)/","Amount":20.00,"Reference":"","CurrencyRate":1.149425,
        "HasAccount":false,"HasValidationErrors":false}],"ID":"n","CurrencyRate":1.162791,
        "Type":"ACCRECCREDIT","Reference":"","RemainingCredit":5.00,"Allocations":[{
        "AllocationID":"a","Amount":10.00,"Date":"/Date(1770595200000+0000)/","Invoice":{
        "InvoiceID":"i","InvoiceNumber":"N-i","Payments":[],"CreditNotes":[],"Prepayments":[],
        "Overpayments":[],"HasErrors":false,"IsDiscounted":false,"LineItems":[]}}],
        "HasAttachments":false,"Contact":{"ContactID":"c","Name":"Ada","Addresses":[],"Phones":[],
        "ContactGroups":[],"ContactPersons":[],"HasValidationErrors":false},
        "DateString":"2026-02-01T00:00:00","Date":"/Date(1769904000000+0000)/",
        "Status":"AUTHORISED","LineAmountTypes":"NoTax","LineItems":[],"SubTotal":35.00,
        "TotalTax":0.00,"Total":35.00,"UpdatedDateUTC":"/Date(1770595200000+0000)/",
        "CurrencyCode":"EUR"}
        """
      let invoice = Self.xeroInvoice(
        "i", total: "100.00", paid: "0.00", credited: "10.00", due: "90.00", status: "AUTHORISED")
      try await store(try rows(XeroInvoices.self, invoice), in: database.invoiceStore)
      try await store(
        try rows(XeroCreditNotes.self, note), in: database.invoiceStore(of: .creditNotes))
      let refund = Self.xeroPayment(
        "r", "20.00", bank: "17.40", rate: "1.149425", type: "ARCREDITPAYMENT", of: "n",
        "ACCRECCREDIT")
      try await store(try rows(XeroPayments.self, refund), in: database.paymentStore())
      let found = try await balance(of: "n", in: database)
      #expect(parts(found).sorted() == ["invoice 10.00", "payment 20.00"])
      #expect(found.unexplained.isZero && found.currency.code == "EUR")
      let credited = try await balance(of: "i", in: database)
      #expect(parts(credited) == ["credit 10.00"] && credited.unexplained.isZero)
    }
  }

  private static func quickBooks(
    _ kind: String, _ id: String, total: String, balance: String? = nil, _ more: String
  ) -> String {
    let party =
      kind == "Bill" || kind == "BillPayment"
      ? #""VendorRef":{"value":"7","name":"Bo"}"# : #""CustomerRef":{"value":"7","name":"Ada"}"#
    let balance = balance.map { #""Balance":\#($0),"# } ?? ""
    return """
      {"Id":"\(id)","SyncToken":"0","domain":"QBO","sparse":false,"MetaData":{
      "CreateTime":"2026-02-09T00:00:00-08:00","LastUpdatedTime":"2026-02-09T00:00:00-08:00"},
      "TxnDate":"2026-02-09","CurrencyRef":{"value":"EUR","name":"Euro"},"ExchangeRate":0.86,
      "TotalAmt":\(total),\(balance)\(party),\(more)}
      """
  }

  @Test("QuickBooks' payments of foreign documents count in the currency of the document")
  func quickBooks() async throws {
    try await withDatabase { database in
      let invoice = Self.quickBooks(
        "Invoice", "1", total: "100.00", balance: "25.00", #""DocNumber":"1001","Line":[]"#)
      let bill = Self.quickBooks(
        "Bill", "1", total: "50.00", balance: "0", #""DocNumber":"B-1","Line":[]"#)
      let credit = Self.quickBooks(
        "CreditMemo", "3", total: "15.00", balance: "0",
        #""RemainingCredit":0,"DocNumber":"C-1","Line":[]"#)
      try await store(
        try rows(QuickBooksInvoices.self, .invoice, invoice)
          + rows(QuickBooksInvoices.self, .bill, bill)
          + rows(QuickBooksInvoices.self, .creditMemo, credit), in: database.invoiceStore)
      // The deposit is at an account of pounds; 10 of the euros are on account.
      let payment = Self.quickBooks(
        "Payment", "2", total: "70.00",
        """
        "UnappliedAmt":10.00,"DepositToAccountRef":{"value":"35"},"ProcessPayment":false,"Line":[
        {"Amount":60.00,"LinkedTxn":[{"TxnId":"1","TxnType":"Invoice"}],"LineEx":{"any":[]}}]
        """)
      // No money moves: the credit is set against the invoice.
      let setAgainst = Self.quickBooks(
        "Payment", "4", total: "0",
        """
        "UnappliedAmt":0,"Line":[
        {"Amount":15.00,"LinkedTxn":[{"TxnId":"1","TxnType":"Invoice"}]},
        {"Amount":15.00,"LinkedTxn":[{"TxnId":"3","TxnType":"CreditMemo"}]}]
        """)
      let paid = Self.quickBooks(
        "BillPayment", "5", total: "50.00",
        """
        "PayType":"Check","CheckPayment":{"BankAccountRef":{"value":"35"},"PrintStatus":"NotSet"},
        "Line":[{"Amount":50.00,"LinkedTxn":[{"TxnId":"1","TxnType":"Bill"}]}]
        """)
      try await store(
        try rows(QuickBooksPayments.self, .payment, payment + "," + setAgainst)
          + rows(QuickBooksPayments.self, .billPayment, paid), in: database.paymentStore())
      for (id, expected) in [
        ("1", ["payment 15.00", "payment 60.00"]), ("bill/1", ["payment 50.00"]),
        ("creditmemo/3", ["payment 15.00"]),
      ] {
        let balance = try await balance(of: id, in: database)
        #expect(parts(balance).sorted() == expected, "\(id)")
        #expect(balance.unexplained.isZero && balance.currency.code == "EUR", "\(id)")
      }
      var unallocated = PaymentQuery()
      unallocated.isUnallocated = true
      let left = try await database.payments(matching: unallocated)
      #expect(left.map { "\($0.payment.id) \($0.payment.currency)" } == ["2 EUR"])
    }
  }
}
