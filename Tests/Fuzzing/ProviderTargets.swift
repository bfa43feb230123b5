import Foundation
import Providers
import Sync

extension FuzzTarget {
  /// All responses of the built-in providers: pages, and the requests before and after them.
  static func providers(_ url: URL) throws -> [FuzzTarget] {
    let all = try xero(url) + quickBooks(url) + stripe(url) + square(url) + moneybird(url)
    for provider in BuiltInProviders.all.map(\.name) {
      guard all.contains(where: { $0.name.hasPrefix(provider + "-") }) else {
        throw MissingTarget(provider: provider)
      }
    }
    return all
  }

  /// The error of a built-in provider none of whose responses is fuzzed.
  private struct MissingTarget: Error { let provider: String }

  private static func xero(_ url: URL) throws -> [FuzzTarget] {
    let invoices = XeroFeed(XeroInvoices.self, baseURL: url, pageSize: 2)
    let contacts = XeroFeed(XeroContacts.self, baseURL: url, pageSize: 2)
    let cursor = #"{"tenantID":"t"}"#
    let credits = [
      #""Allocations""#, #""Amount""#, #""Invoice""#, #""InvoiceID""#, #""IsDeleted""#,
      #""RemainingCredit""#, #""Total""#, #""VOIDED""#,
    ]
    return [
      try page(
        "xero-invoices", invoices, cursor: cursor,
        counting: #"{"tenantID":"t","order":"catchingUp"}"#,
        words: [#""Invoices""#, #""LineItems""#, #""Total""#, #""UpdatedDateUTC""#, #""Contact""#]),
      try page(
        "xero-contacts", contacts, cursor: cursor,
        words: [#""Contacts""#, #""Phones""#, #""ContactID""#, #""UpdatedDateUTC""#]),
      try page(
        "xero-payments", XeroFeed(XeroPayments.self, baseURL: url, pageSize: 2), cursor: cursor,
        words: [
          #""Payments""#, #""PaymentID""#, #""PaymentType""#, #""ARCREDITPAYMENT""#, #""Amount""#,
          #""Invoice""#, #""CreditNote""#, #""CurrencyCode""#, #""DELETED""#,
        ]),
      try page(
        "xero-overpayments",
        XeroFeed(XeroMoneyOnAccount.Overpayments.self, baseURL: url, pageSize: 2), cursor: cursor,
        words: credits + [#""Overpayments""#, #""OverpaymentID""#, #""RECEIVE-OVERPAYMENT""#]),
      try page(
        "xero-credit-notes", XeroFeed(XeroCreditNotes.self, baseURL: url, pageSize: 2),
        cursor: cursor,
        words: credits + [#""CreditNotes""#, #""CreditNoteID""#, #""ACCRECCREDIT""#]),
      beginning(
        "xero-connections", invoices,
        words: [#""tenantId""#, #""tenantType""#, #""ORGANISATION""#, #""tenantName""#]),
    ]
  }

  private static func quickBooks(_ url: URL) throws -> [FuzzTarget] {
    let feed = QuickBooksFeed(QuickBooksInvoices.self, baseURL: url, realmID: "1", pageSize: 2)
    func cursor(_ step: String, usedPositions: Bool = false) -> String {
      """
      {"realmID":"1","homeCurrency":"USD","readsChanges":true,"step":\(step),"newest":{},\
      "position":1,"usedPositions":\(usedPositions),"isSecondReading":false,\
      "changesKnownUntil":"2024-06-20T00:00:00Z"}
      """
    }
    return [
      try page(
        "quickbooks-invoices", feed, cursor: cursor(#"{"list":{"_0":"Invoice"}}"#),
        counting: cursor(#"{"list":{"_0":"Invoice"}}"#, usedPositions: true),
        words: [
          #""QueryResponse""#, #""Invoice""#, #""Line""#, #""GroupLineDetail""#, #""TotalAmt""#,
          #""Balance""#, #""CurrencyRef""#, #""MetaData""#, #""LastUpdatedTime""#, #""Voided""#,
          #""Fault""#, #""Error""#, #""code""#, #""003200""#, "<Fault ", "<Error code=\"",
          #""time""#, #""BillAddr""#, #""Line1""#, #""Deposit""#, #""DiscountLineDetail""#,
          #""totalCount""#, #""BatchItemResponse""#, #""2024-06-20T00:00:00-07:00""#,
        ]),
      try page(
        "quickbooks-changes", feed, cursor: cursor(#"{"changes":{}}"#),
        words: [
          #""CDCResponse""#, #""QueryResponse""#, #""Invoice""#, #""Bill""#, #""CreditMemo""#,
          #""VendorCredit""#, #""status""#, #""Deleted""#, #""Id""#, #""time""#,
          #""2024-06-20T00:00:00-07:00""#,
        ]),
      try page(
        "quickbooks-contacts",
        QuickBooksFeed(QuickBooksContacts.self, baseURL: url, realmID: "1", pageSize: 2),
        cursor: cursor(#"{"list":{"_0":"Customer"}}"#),
        words: [
          #""Customer""#, #""Vendor""#, #""DisplayName""#, #""Active""#, "false", #""MetaData""#,
          #""LastUpdatedTime""#, #""PrimaryPhone""#, #""FreeFormNumber""#, #""GSTIN""#,
        ]),
      try page(
        "quickbooks-payments",
        QuickBooksFeed(QuickBooksPayments.self, baseURL: url, realmID: "1", pageSize: 2),
        cursor: cursor(#"{"list":{"_0":"Payment"}}"#),
        words: [
          #""Payment""#, #""BillPayment""#, #""Line""#, #""LinkedTxn""#, #""TxnId""#,
          #""TxnType""#, #""CreditMemo""#, #""Amount""#, #""TotalAmt""#, #""UnappliedAmt""#,
          #""PrivateNote""#, #""Voided""#, #""MetaData""#, #""LastUpdatedTime""#,
        ]),
      beginning(
        "quickbooks-company", feed,
        words: [
          #""Preferences""#, #""CurrencyPrefs""#, #""HomeCurrency""#, #""value""#, #""time""#,
          #""2024-06-20T00:00:00-07:00""#, #""Fault""#,
        ]),
    ]
  }

  private static func stripe(_ url: URL) throws -> [FuzzTarget] {
    let feed = StripeFeed(StripeInvoices.self, baseURL: url)
    let customers = StripeFeed(StripeCustomers.self, baseURL: url)
    let customerWords = [
      #""data""#, #""has_more""#, #""id""#, #""object""#, #""customer""#, #""tax_ids""#,
      #""value""#, #""deleted""#, #""email""#, #""created""#, #""type""#, #""customer.deleted""#,
      #""customer.tax_id.updated""#, "1718870400",
    ]
    let customerEvent =
      #"{"id":"evt_1","type":"customer.updated","created":1718870400,"data":{"object":"cus_1"}}"#
    func cursor(_ step: String) -> String {
      #"{"accountID":"acct_1","step":"\#(step)","since":"2024-06-20T00:00:00Z"}"#
    }
    let words = [
      #""data""#, #""has_more""#, #""id""#, #""object""#, #""created""#, #""currency""#, #""jpy""#,
      #""total""#, #""lines""#, #""deleted""#, #""status""#, #""tax_amounts""#,
      #""unit_amount_decimal""#, #""status_transitions""#, #""error""#, #""resource_missing""#,
      #""starting_after""#, #""customer_address""#, #""shipping_cost""#, #""amount_subtotal""#,
      #""total_discount_amounts""#, #""account_country""#,
    ]
    let event =
      #"{"id":"evt_1","type":"invoice.paid","created":1718870400,"data":{"object":"in_1"}}"#
    let cut = """
      {"id":"in_1","created":1718870400,"currency":"usd","total":1,"status":"open",
       "lines":{"data":[{"id":"il_1","amount":1}],"has_more":true}}
      """
    return [
      try page("stripe-invoices", feed, cursor: cursor("invoices"), words: words),
      try page(
        "stripe-events", feed, cursor: cursor("events"),
        words: [
          #""data""#, #""has_more""#, #""id""#, #""created""#, #""type""#, #""invoice.deleted""#,
          #""object""#, #""invoice.paid""#, "1718870400",
        ]),
      try completion(
        "stripe-invoice", feed, cursor: cursor("events"),
        page: #"{"data":[\#(event)],"has_more":false}"#, words: words),
      try completion(
        "stripe-lines", feed, cursor: cursor("invoices"),
        page: #"{"data":[\#(cut)],"has_more":false}"#, words: words),
      try page(
        "stripe-customers", customers, cursor: cursor("invoices"), words: customerWords),
      try page(
        "stripe-customer-events", customers, cursor: cursor("events"), words: customerWords),
      try completion(
        "stripe-customer", customers, cursor: cursor("events"),
        page: #"{"data":[\#(customerEvent)],"has_more":false}"#, words: customerWords),
      try page(
        "stripe-credit-notes", StripeFeed(StripeCreditNotes.self, baseURL: url),
        cursor: cursor("invoices"),
        words: words + [
          #""credit_note""#, #""invoice""#, #""issued""#, #""void""#, #""effective_at""#,
          #""memo""#, #""reason""#, #""total_excluding_tax""#,
        ]),
      beginning(
        "stripe-account", feed, words: [#""id""#, #""acct_1""#, #""object""#, #""error""#]),
    ]
  }

  private static func square(_ url: URL) throws -> [FuzzTarget] {
    let feed = SquareFeed(baseURL: url)
    let cursor = """
      {"merchantID":"M1","locations":["L1","L2"],"index":0,"spansPages":false,\
      "isSecondReading":false}
      """
    let count = #"{"until":"2024-06-20T00:00:00Z","count":25}"#
    let invoice = """
      {"id":"inv:0-1","version":1,"order_id":"order-1","status":"UNPAID",
       "payment_requests":[{"computed_amount_money":{"amount":100,"currency":"USD"}}]}
      """
    return [
      try page(
        "square-invoices", feed, cursor: cursor,
        words: [
          #""invoices""#, #""cursor""#, #""errors""#, #""payment_requests""#, #""amount""#,
          #""currency""#, #""JPY""#, #""computed_amount_money""#, #""version""#, #""order_id""#,
          #""INVALID_CURSOR""#, #""status""#, #""code""#, #""field""#, #""address""#,
          #""address_line_1""#,
        ]),
      try completion(
        "square-orders", feed, cursor: cursor, page: #"{"invoices":[\#(invoice)]}"#,
        words: [
          #""orders""#, #""order-1""#, #""line_items""#, #""taxes""#, #""tenders""#, #""amount""#,
          #""currency""#, #""quantity""#, #""percentage""#, #""tax_uid""#, #""applied_taxes""#,
          #""total_money""#, #""errors""#, #""0.00001""#, #""service_charges""#,
          #""applied_money""#,
        ]),
      try page(
        "square-customers", SquareCustomersFeed(baseURL: url),
        cursor: #"{"merchantID":"M1","counted":\#(count),"isSecondReading":false}"#,
        counting: """
          {"merchantID":"M1","counted":\(count),"pageToken":"a","isSecondReading":false}
          """,
        words: [
          #""customers""#, #""cursor""#, #""count""#, #""errors""#, #""given_name""#,
          #""family_name""#, #""company_name""#, #""tax_ids""#, #""eu_vat""#, #""version""#,
          #""updated_at""#, #""INVALID_CURSOR""#, #""code""#, #""field""#,
        ]),
      beginning(
        "square-locations", feed,
        words: [#""locations""#, #""id""#, #""merchant_id""#, #""name""#, #""M1""#]),
    ]
  }

  private static func moneybird(_ url: URL) throws -> [FuzzTarget] {
    let feed = MoneybirdFeed(MoneybirdInvoices.self, baseURL: url)
    let cursor = #"{"administrationID":"123"}"#
    let invoiceWords = [
      #""id""#, #""version""#, #""state""#, #""details""#, #""payments""#, #""tax_totals""#,
      #""contact""#, #""discount""#, #""total_price_incl_tax""#, #""currency""#,
      #""updated_at""#, #""amount_decimal""#, #""late""#, "1718874000", #""attachments""#,
      #""original_sales_invoice_id""#, #""address1""#, #""zipcode""#,
    ]
    return [
      try page(
        "moneybird-versions", feed, cursor: cursor,
        words: [#""id""#, #""version""#, #""administration_id""#, "1718874000"]),
      try page("moneybird-invoices", feed, cursor: cursor, words: invoiceWords),
      try page(
        "moneybird-external-invoices", MoneybirdFeed(MoneybirdExternalInvoices.self, baseURL: url),
        cursor: cursor, words: invoiceWords + [#""new""#, #""date""#, #""reference""#]),
      try page(
        "moneybird-purchase-invoices", MoneybirdFeed(MoneybirdPurchaseInvoices.self, baseURL: url),
        cursor: cursor, words: invoiceWords + [#""saved""#, #""date""#, #""reference""#]),
      try page(
        "moneybird-contacts", MoneybirdFeed(MoneybirdContacts.self, baseURL: url), cursor: cursor,
        words: [
          #""id""#, #""version""#, #""company_name""#, #""firstname""#, #""lastname""#,
          #""archived""#, "true", #""updated_at""#, #""send_invoices_to_email""#, "1718874000",
        ]),
      beginning(
        "moneybird-administrations", feed, words: [#""id""#, #""name""#, #""currency""#, "123"]),
    ]
  }
}
