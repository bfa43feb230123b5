import Authentication
package import Documents
package import HTTPTypes
import Models
import Networking
import Sync

/// The provider Stripe.
///
/// The user usually signs in with a secret or restricted key, which is sent as a bearer token; a
/// platform may use OAuth (Connect).
package struct StripeProvider: Provider {
  package let name = "stripe"

  package init() {}

  package var profile: ProviderProfile {
    // https://docs.stripe.com/connect/oauth-reference
    var profile = ProviderProfile(
      title: "Stripe", records: "invoices, credit notes, contacts",
      reads: "what changed; everything if the last sync is over 29 days old",
      baseURL: "https://api.stripe.com",
      authorizationURL: "https://connect.stripe.com/oauth/authorize",
      tokenURL: "https://connect.stripe.com/oauth/token")
    profile.registrationURL = "https://dashboard.stripe.com/apikeys"
    // https://docs.stripe.com/keys/restricted-api-keys
    profile.steps = """
      Create a restricted key, and set Read for Invoices; for contacts also Read for Customers,
      and for the means of payments Read for Charges.
      Read for Events lets later syncs fetch what has changed instead of everything. Read for
      Accounts names your account, so that a new key is known to be of the same account.
      """
    profile.signIn = "API key"
    profile.tokenName = "API key"
    profile.takesToken = true
    profile.registersApp = false
    profile.scopes = ["read_only"]
    profile.listPermissions = [.contacts: "Read for Customers"]
    // A refresh token of Connect stays valid after its use.
    profile.refreshTokenReplay = .accepted(for: .seconds(365 * 86_400))
    // Stripe has no revocation as in RFC 7009: a platform disconnects an account with its own key.
    // https://docs.stripe.com/rate-limits: 25 requests a second per endpoint.
    profile.rateLimits = [RateLimit(requests: 25, interval: .seconds(1))]
    return profile
  }

  package func lists(in context: ProviderContext) -> [ProviderList] {
    func feed<List: StripeList>(_: List.Type) -> StripeFeed<List> {
      StripeFeed(
        List.self, baseURL: context.baseURL, accountID: context.tenantID,
        timeZone: context.timeZone)
    }
    return [
      .invoices(feed(StripeInvoices.self)),
      .invoices(feed(StripeCreditNotes.self), as: .creditNotes),
      .contacts(feed(StripeCustomers.self)),
    ]
  }

  package func documents(in context: ProviderContext) -> (any DocumentSource)? {
    StripeDocuments(baseURL: context.baseURL, accountID: context.tenantID)
  }

  package func requestFields(in context: ProviderContext) -> HTTPFields {
    StripeRequests.fields(onBehalfOf: context.tenantID)
  }
}
