import Authentication
package import Models
import Networking
package import Sync

/// The provider Moneybird.
package struct MoneybirdProvider: Provider {
  package let name = "moneybird"

  package init() {}

  package var traits: ProviderTraits {
    // https://developer.moneybird.com/authentication
    var traits = ProviderTraits(
      baseURL: "https://moneybird.com",
      authorizationURL: "https://moneybird.com/oauth/authorize",
      tokenURL: "https://moneybird.com/oauth/token")
    traits.displayName = "Moneybird"
    traits.facts.registrationURL = "https://moneybird.com/user/applications/new"
    traits.facts.steps = """
      Register an external OAuth application; it has a Client ID and a Client Secret.
      With a personal API token instead: appcore setup --token-stdin
      """
    traits.facts.records = "sales invoices"
    traits.facts.reads = "the id and version of every invoice, then each invoice that changed"
    traits.facts.signIn = "browser"
    traits.facts.hasClientSecret = true
    traits.listsOrganisations = true
    // Refresh tokens do not expire. Moneybird does not document its answer to a refresh token that
    // was already used, so appcore assumes that it refuses the token.
    traits.clientAuthentication = .post
    // This scope covers invoices with their contacts, and the list of administrations.
    traits.scopes = ["sales_invoices"]
    // https://helpcenter.moneybird.nl/nl/articles/208028-api-token-limiet
    traits.rateLimits = [RateLimit(requests: 150, interval: .seconds(300))]
    return traits
  }

  package func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? {
    try await MoneybirdAdministrations.all(at: context.baseURL, ask: ask)
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    MoneybirdFeed(baseURL: context.baseURL, administrationID: context.tenantID)
  }
}
