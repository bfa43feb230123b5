import Authentication
package import Documents
import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
package import Sync

/// The provider Moneybird.
package struct MoneybirdProvider: Provider {
  package let name = "moneybird"

  package init() {}

  package var profile: ProviderProfile {
    // https://developer.moneybird.com/authentication
    var profile = ProviderProfile(
      title: "Moneybird", records: "sales and purchase invoices, contacts",
      reads: "the id and version of every record, then each record that changed",
      baseURL: "https://moneybird.com",
      authorizationURL: "https://moneybird.com/oauth/authorize",
      tokenURL: "https://moneybird.com/oauth/token")
    profile.registrationURL = "https://moneybird.com/user/applications/new"
    profile.steps = """
      Register an external OAuth application; it has a Client ID and a Client Secret.
      """
    // https://helpcenter.moneybird.nl/nl/articles/208027-api-token-aanmaken-en-beheren
    profile.tokenSteps = """
      Create a personal API token with access to sales invoices and documents. It is the simple way
      to one administration that you own, and needs no app.
      """
    profile.signIn = "browser; or personal API token"
    profile.tokenName = "personal API token"
    profile.takesToken = true
    profile.hasClientSecret = true
    profile.listsOrganisations = true
    // Refresh tokens do not expire. Moneybird does not document its answer to a refresh token that
    // was already used, so appcore assumes that it refuses the token.
    profile.clientAuthentication = .post
    // The first covers invoices to customers, contacts, and the list of administrations; the second
    // the purchase invoices.
    profile.scopes = ["sales_invoices", "documents"]
    profile.listScopes = [.bills: "documents"]
    profile.listPermissions = [.bills: "access to documents"]
    // https://helpcenter.moneybird.nl/nl/articles/208028-api-token-limiet
    profile.rateLimits = [RateLimit(requests: 150, interval: .seconds(300))]
    return profile
  }

  package func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? {
    try await MoneybirdAdministrations.all(at: context.baseURL, ask: ask)
  }

  package func lists(in context: ProviderContext) -> [ProviderList] {
    func feed<List: MoneybirdList>(_: List.Type) -> MoneybirdFeed<List> {
      MoneybirdFeed(
        List.self, baseURL: context.baseURL, administrationID: context.tenantID)
    }
    return [
      .invoices(feed(MoneybirdInvoices.self)),
      .invoices(feed(MoneybirdExternalInvoices.self), as: .externalInvoices),
      .invoices(feed(MoneybirdPurchaseInvoices.self), as: .bills),
      .contacts(feed(MoneybirdContacts.self)),
    ]
  }

  package func documents(in context: ProviderContext) -> (any DocumentSource)? {
    MoneybirdDocuments(baseURL: context.baseURL, administrationID: context.tenantID)
  }
}

/// The administrations that a login reaches, from `GET /api/v2/administrations.json`.
enum MoneybirdAdministrations {
  /// Returns all administrations that the login reaches.
  static func all(at baseURL: URL, ask: Ask) async throws -> [Organisation] {
    let request = try Request(
      url: baseURL.appending(path: "api/v2/administrations.json"),
      fields: [.accept: "application/json"])
    return try administrations(in: try await ask(request).body)
  }

  /// Returns the administrations in a response; an identifier can be a text or a number.
  static func administrations(in body: [UInt8]) throws -> [Organisation] {
    var found: [Organisation] = []
    try JSONReader.readWhole(body, as: "administrations") { reader in
      try reader.readArray { reader in
        var (id, name): (String?, String?)
        try reader.readObject { reader, key in
          switch key {
          case "id": id = try reader.readIdentifier()
          case "name": name = try reader.readOptionalString()
          default: try reader.skipValue()
          }
        }
        if let id { found.append(Organisation(id: id, name: name)) }
      }
    }
    return found
  }
}
