import Models
import Networking
import Providers
import Sync
import Testing

@testable import Sandbox

/// The known properties of a provider that the sandbox imitates.
struct SandboxShape: Sendable, CustomTestStringConvertible {
  let played: SandboxProvider
  let provider: any Provider
  /// Its own lists with smaller pages.
  let paged: @Sendable (ProviderContext) -> [ProviderList]
  let totalPath: [String]
  var invoices = 60
  var requestsWhenUnchanged: Int? = 3
  /// The organisations, as `tenantID` names them.
  let organisations: @Sendable (SandboxServer) -> [String]
  /// True if the redirect of a sign-in names the organisation.
  var namesOrganisation = false
  /// The provider's version of an invoice of the ledger; `nil` if it has none.
  let shown: @Sendable (Invoice) -> Invoice?
  /// The part of an invoice that can be compared.
  var comparable: @Sendable (Invoice) -> Invoice = { $0 }
  /// The provider's version of the contacts of ledgers, of all organisations or of the first one.
  let shownContacts: @Sendable (SandboxServer) throws -> [Contact]

  /// The provider's version of the invoices of its other lists, such as credit notes.
  var shownOthers: @Sendable (SandboxServer, Resource) -> [Invoice] = { _, _ in [] }
  /// The provider's version of the payments of one of its lists.
  var shownPayments: @Sendable (SandboxServer, Resource) -> [Payment] = { _, _ in [] }

  var testDescription: String { played.rawValue }

  static let all: [SandboxShape] = [
    SandboxShape(
      played: .xero, provider: XeroProvider(),
      paged: { context in
        func feed<List: XeroList>(_: List.Type) -> XeroFeed<List> {
          XeroFeed(
            List.self, baseURL: context.baseURL, tenantID: context.tenantID, pageSize: 10)
        }
        return [
          .invoices(feed(XeroInvoices.self)),
          .invoices(feed(XeroCreditNotes.self), as: .creditNotes),
          .payments(feed(XeroPayments.self)),
          .payments(feed(XeroMoneyOnAccount.Prepayments.self), as: .prepayments),
          .payments(feed(XeroMoneyOnAccount.Overpayments.self), as: .overpayments),
          .contacts(feed(XeroContacts.self)),
        ]
      }, totalPath: ["InvoiceID", "Total"], requestsWhenUnchanged: 1,
      organisations: \.tenantIDs, shown: { $0.status == .deleted ? nil : $0 },
      shownContacts: ShownContacts.xero, shownOthers: { server, _ in server.creditNotes() },
      shownPayments: { $0.payments(of: $1) }),
    SandboxShape(
      played: .quickbooks, provider: QuickBooksProvider(),
      paged: {
        [
          .invoices(
            QuickBooksFeed(
              QuickBooksInvoices.self, baseURL: $0.baseURL, realmID: $0.tenantID, pageSize: 10)),
          .payments(
            QuickBooksFeed(
              QuickBooksPayments.self, baseURL: $0.baseURL, realmID: $0.tenantID, pageSize: 10)),
          .contacts(
            QuickBooksFeed(
              QuickBooksContacts.self, baseURL: $0.baseURL, realmID: $0.tenantID, pageSize: 10)),
        ]
      }, totalPath: ["TotalAmt"], requestsWhenUnchanged: 5,
      organisations: \.tenantIDs, namesOrganisation: true, shown: ShownInvoices.quickbooks,
      shownContacts: ShownContacts.quickbooks, shownPayments: ShownPayments.quickbooks),
    SandboxShape(
      played: .stripe, provider: StripeProvider(),
      paged: {
        [
          .invoices(
            StripeFeed(
              StripeInvoices.self, baseURL: $0.baseURL, accountID: $0.tenantID, pageSize: 9)),
          .invoices(
            StripeFeed(
              StripeCreditNotes.self, baseURL: $0.baseURL, accountID: $0.tenantID, pageSize: 9),
            as: .creditNotes),
          .contacts(
            StripeFeed(
              StripeCustomers.self, baseURL: $0.baseURL, accountID: $0.tenantID, pageSize: 9)),
        ]
      }, totalPath: ["total"],
      organisations: { $0.tenantIDs.map { "acct_" + $0.replacing("-", with: "") } },
      shown: ShownInvoices.stripe, shownContacts: ShownContacts.stripe,
      shownOthers: { server, _ in server.stripeCreditNotes() }),
    SandboxShape(
      played: .square, provider: SquareProvider(),
      paged: {
        [
          .invoices(
            SquareFeed(baseURL: $0.baseURL, locationID: $0.tenantID, pageSize: 10)),
          .contacts(
            SquareCustomersFeed(baseURL: $0.baseURL, locationID: $0.tenantID, pageSize: 10)),
        ]
      }, totalPath: ["payment_requests", "computed_amount_money", "amount"],
      requestsWhenUnchanged: nil,
      organisations: { $0.state.tenants.map(\.squareLocationID) }, shown: ShownInvoices.square,
      comparable: ShownInvoices.comparableSquare, shownContacts: ShownContacts.square),
    SandboxShape(
      played: .moneybird, provider: MoneybirdProvider(),
      paged: { context in
        // The size of their batches is Moneybird's.
        MoneybirdProvider().lists(in: context)
      }, totalPath: ["total_price_incl_tax"], invoices: 450,
      organisations: { $0.tenantIDs.map(MoneybirdIdentifier.of) }, shown: ShownInvoices.moneybird,
      comparable: ShownInvoices.comparableMoneybird, shownContacts: ShownContacts.moneybird,
      shownOthers: ShownInvoices.moneybird),
  ]
}
