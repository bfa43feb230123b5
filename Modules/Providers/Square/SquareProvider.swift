import Authentication
package import Models
import Networking
package import Sync

/// The provider Square.
package struct SquareProvider: Provider {
  package let name = "square"

  package init() {}

  package var traits: ProviderTraits {
    // https://developer.squareup.com/docs/oauth-api/overview
    var traits = ProviderTraits(
      baseURL: "https://connect.squareup.com",
      authorizationURL: "https://connect.squareup.com/oauth2/authorize",
      tokenURL: "https://connect.squareup.com/oauth2/token")
    traits.displayName = "Square"
    // Square's `/oauth2/revoke` does not follow RFC 7009: it requires the scheme
    // `Authorization: Client` with the secret, and the access token as JSON. So there is no
    // revocation URL here.
    traits.clientAuthentication = .post
    traits.scopes = ["INVOICES_READ", "ORDERS_READ", "MERCHANT_PROFILE_READ"]
    // With a secret, the refresh token never changes; with PKCE alone, each one works only once.
    // Square publishes no rate limits.
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    SquareFeed(baseURL: context.baseURL, locationID: context.tenantID)
  }
}
