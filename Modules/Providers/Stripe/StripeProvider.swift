import Authentication
package import Models
import Networking
package import Sync

/// Stripe.
///
/// As a rule one signs in with a secret or restricted key, as a bearer token; a platform may use
/// OAuth (Connect).
package struct StripeProvider: Provider {
  package let name = "stripe"

  package init() {}

  package var traits: ProviderTraits {
    // https://docs.stripe.com/connect/oauth-reference
    var traits = ProviderTraits(
      baseURL: "https://api.stripe.com",
      authorizationURL: "https://connect.stripe.com/oauth/authorize",
      tokenURL: "https://connect.stripe.com/oauth/token")
    traits.scopes = ["read_only"]
    // A refresh token of Connect is not spent by its use.
    traits.refreshTokenReplay = .accepted(for: .seconds(365 * 86_400))
    // There is no revocation as of RFC 7009: a platform is disconnected with its own key.
    // https://docs.stripe.com/rate-limits: each endpoint 25 requests a second.
    traits.rateLimits = [RateLimit(requests: 25, interval: .seconds(1))]
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    StripeFeed(baseURL: context.baseURL, accountID: context.tenantID)
  }
}
