import Authentication
package import Models
import Networking
package import Sync

/// The provider QuickBooks Online.
package struct QuickBooksProvider: Provider {
  package let name = "quickbooks"

  package init() {}

  package var traits: ProviderTraits {
    // https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0
    var traits = ProviderTraits(
      baseURL: "https://quickbooks.api.intuit.com",
      authorizationURL: "https://appcenter.intuit.com/connect/oauth2",
      tokenURL: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer")
    traits.displayName = "QuickBooks"
    traits.revocationURL = "https://developer.api.intuit.com/v2/oauth2/tokens/revoke"
    traits.scopes = ["com.intuit.quickbooks.accounting"]
    // The company that the user chose.
    traits.redirectTenantParameter = "realmId"
    // Most renewals return the refresh token that was sent, so a token is rarely replaced. About
    // once a day the value changes, and QuickBooks accepts the previous one for another day;
    // appcore relies on one hour.
    traits.refreshTokenReplay = .accepted(for: .seconds(3_600))
    // https://developer.intuit.com/app/developer/qbo/docs/learn/rest-api-features#limits-and-throttles
    // 500 requests a minute per company, and 40 concurrent requests per company and app.
    traits.rateLimits = [RateLimit(requests: 500, interval: .seconds(60))]
    traits.concurrency = 40
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    QuickBooksFeed(baseURL: context.baseURL, realmID: context.tenantID)
  }
}
