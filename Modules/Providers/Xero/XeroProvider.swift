import Authentication
package import Models
import Networking
package import Sync

/// The provider Xero.
package struct XeroProvider: Provider {
  package let name = "xero"

  package init() {}

  package var traits: ProviderTraits {
    // https://developer.xero.com/documentation/guides/oauth2/auth-flow/
    var traits = ProviderTraits(
      baseURL: "https://api.xero.com",
      authorizationURL: "https://login.xero.com/identity/connect/authorize",
      tokenURL: "https://identity.xero.com/connect/token")
    traits.displayName = "Xero"
    traits.facts.registrationURL = "https://developer.xero.com/app/manage"
    // https://developer.xero.com/documentation/guides/oauth2/pkce-flow/
    traits.facts.steps = """
      Create an app of the type "Mobile or desktop app"; it has no client secret.
      If you registered http://localhost instead: appcore setup --redirect-host localhost
      """
    traits.facts.records = "invoices, bills, contacts"
    traits.facts.reads = "what changed"
    traits.facts.signIn = "browser"
    traits.facts.hasClientSecret = false
    traits.listsOrganisations = true
    traits.revocationURL = "https://identity.xero.com/connect/revocation"
    // https://developer.xero.com/documentation/guides/oauth2/scopes/
    traits.scopes = [
      "offline_access", "accounting.invoices.read", "accounting.contacts.read",
    ]
    // Xero accepts a used refresh token for another 30 minutes, as its page on the flow says.
    traits.refreshTokenReplay = .accepted(for: .seconds(1_800))
    // https://developer.xero.com/documentation/guides/oauth2/limits/
    // Limits per organisation and app: requests a minute, requests a day, and concurrent requests.
    traits.rateLimits = [
      RateLimit(requests: 60, interval: .seconds(60)),
      RateLimit(requests: 5_000, interval: .seconds(86_400)),
    ]
    traits.concurrency = 5
    // Of all organisations that the app reads.
    traits.applicationRateLimits = [RateLimit(requests: 10_000, interval: .seconds(60))]
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    XeroFeed(XeroInvoices.self, baseURL: context.baseURL, tenantID: context.tenantID)
  }

  package func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? {
    try await XeroConnections.all(at: context.baseURL, ask: ask)
  }

  package func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? {
    XeroFeed(XeroContacts.self, baseURL: context.baseURL, tenantID: context.tenantID)
  }
}
