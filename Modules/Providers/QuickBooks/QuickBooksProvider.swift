import Authentication
package import Models
import Networking
package import Sync

/// QuickBooks Online.
package struct QuickBooksProvider: Provider {
  package let name = "quickbooks"

  package init() {}

  package var traits: ProviderTraits {
    // https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0
    var traits = ProviderTraits(
      baseURL: "https://quickbooks.api.intuit.com",
      authorizationURL: "https://appcenter.intuit.com/connect/oauth2",
      tokenURL: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer")
    traits.revocationURL = "https://developer.api.intuit.com/v2/oauth2/tokens/revoke"
    traits.scopes = ["com.intuit.quickbooks.accounting"]
    // The company that the person chose.
    traits.redirectTenantParameter = "realmId"
    // Most renewals give back the refresh token that was sent, so that one is rarely spent. About
    // once a day the value changes, and the one before is taken for another day; relied on is an
    // hour of it.
    traits.refreshTokenReplay = .accepted(for: .seconds(3_600))
    // https://developer.intuit.com/app/developer/qbo/docs/learn/rest-api-features#limits-and-throttles
    // 500 a minute for a company, 40 at once for a company and app.
    traits.rateLimits = [RateLimit(requests: 500, interval: .seconds(60))]
    traits.concurrency = 40
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    QuickBooksFeed(baseURL: context.baseURL, realmID: context.tenantID)
  }
}
