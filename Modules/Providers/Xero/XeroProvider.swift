import Authentication
package import Documents
import Foundation
package import HTTPTypes
import JSONReading
import Models
import Networking
package import Sync

/// The provider Xero.
package struct XeroProvider: Provider {
  package let name = "xero"

  package init() {}

  package var profile: ProviderProfile {
    // https://developer.xero.com/documentation/guides/oauth2/auth-flow/
    var profile = ProviderProfile(
      title: "Xero", records: "invoices, bills, credit notes, payments, contacts",
      reads: "what changed",
      baseURL: "https://api.xero.com",
      authorizationURL: "https://login.xero.com/identity/connect/authorize",
      tokenURL: "https://identity.xero.com/connect/token")
    profile.registrationURL = "https://developer.xero.com/app/manage"
    // https://developer.xero.com/documentation/guides/oauth2/pkce-flow/
    profile.steps = """
      Create an app of the type "Mobile or desktop app"; it has no client secret.
      If you registered http://localhost instead: appcore setup --redirect-host localhost
      A free app connects up to five organisations, one at each sign-in.
      """
    profile.hasClientSecret = false
    profile.listsOrganisations = true
    profile.revocationURL = "https://identity.xero.com/connect/revocation"
    // https://developer.xero.com/documentation/guides/oauth2/scopes/
    profile.scopes = [
      "offline_access", "accounting.invoices.read", "accounting.payments.read",
      "accounting.contacts.read", Self.attachmentScope, XeroNames.scope,
    ]
    profile.listScopes = [
      .payments: "accounting.payments.read", .prepayments: "accounting.payments.read",
      .overpayments: "accounting.payments.read", .contacts: "accounting.contacts.read",
    ]
    // Xero accepts a used refresh token for another 30 minutes, as its page on the flow says.
    profile.refreshTokenReplay = .accepted(for: .seconds(1_800))
    profile.connectsOneByOne = true
    // https://developer.xero.com/documentation/guides/oauth2/limits/ and
    // https://developer.xero.com/faq/pricing-and-policy-updates
    // Limits per organisation and app: requests a minute, requests a day in the free tier, and
    // concurrent requests.
    profile.rateLimits = [
      RateLimit(requests: 60, interval: .seconds(60)),
      RateLimit(requests: 1_000, interval: .seconds(86_400)),
    ]
    profile.concurrency = 5
    // Of all organisations that the app reads.
    profile.applicationRateLimits = [RateLimit(requests: 10_000, interval: .seconds(60))]
    return profile
  }

  package func lists(in context: ProviderContext) -> [ProviderList] {
    func feed<List: XeroList>(_: List.Type) -> XeroFeed<List> {
      XeroFeed(List.self, baseURL: context.baseURL, tenantID: context.tenantID)
    }
    return [
      .invoices(feed(XeroInvoices.self)),
      .invoices(feed(XeroCreditNotes.self), as: .creditNotes),
      .payments(feed(XeroPayments.self)),
      .payments(feed(XeroMoneyOnAccount.Prepayments.self), as: .prepayments),
      .payments(feed(XeroMoneyOnAccount.Overpayments.self), as: .overpayments),
      .contacts(feed(XeroContacts.self)),
    ]
  }

  package func documents(in context: ProviderContext) -> (any DocumentSource)? {
    XeroDocuments(baseURL: context.baseURL, tenantID: context.tenantID)
  }

  /// The scope without which the files of invoices are their PDFs alone.
  static let attachmentScope = "accounting.attachments.read"

  package func requestFields(in context: ProviderContext) -> HTTPFields {
    context.tenantID.map(Self.fields(ofTenant:)) ?? [:]
  }

  static func fields(ofTenant id: String) -> HTTPFields {
    guard let name = HTTPField.Name("Xero-tenant-id") else { return [:] }
    return [name: id]
  }

  package func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? {
    try await XeroConnections.all(at: context.baseURL, ask: ask)
  }
}

/// The organisations that a login reaches, from `GET /connections`.
enum XeroConnections {
  /// Returns all organisations that the login reaches.
  static func all(at baseURL: URL, ask: Ask) async throws -> [Organisation] {
    let request = try Request(
      url: baseURL.appending(path: "connections"), fields: [.accept: "application/json"])
    return try organisations(in: try await ask(request).body)
  }

  /// Returns the organisations in a response; practices and other tenants have no invoices.
  static func organisations(in body: [UInt8]) throws -> [Organisation] {
    var found: [Organisation] = []
    try JSONReader.readWhole(body, as: "connections") { reader in
      try reader.readArray { reader in
        var (id, name, type): (String?, String?, String?)
        try reader.readObject { reader, key in
          switch key {
          case "tenantId": id = try reader.readString()
          case "tenantName": name = try reader.readOptionalString()
          case "tenantType": type = try reader.readString()
          default: try reader.skipValue()
          }
        }
        if let id, type == "ORGANISATION" { found.append(Organisation(id: id, name: name)) }
      }
    }
    return found
  }
}
