import Authentication
package import Models
import Networking
package import Sync

/// Square.
package struct SquareProvider: Provider {
  package let name = "square"

  package init() {}

  package var traits: ProviderTraits {
    // https://developer.squareup.com/docs/oauth-api/overview
    var traits = ProviderTraits(
      baseURL: "https://connect.squareup.com",
      authorizationURL: "https://connect.squareup.com/oauth2/authorize",
      tokenURL: "https://connect.squareup.com/oauth2/token")
    // Square's `/oauth2/revoke` is not RFC 7009's: it takes a scheme of its own, `Authorization:
    // Client` with the secret, and the access token as JSON. So there is no address to give tokens
    // back to.
    traits.clientAuthentication = .post
    traits.scopes = ["INVOICES_READ", "ORDERS_READ", "MERCHANT_PROFILE_READ"]
    // With a secret the refresh token stays the same for ever; with PKCE alone each is taken once.
    // How often requests may be sent is not published.
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    SquareFeed(baseURL: context.baseURL, locationID: context.tenantID)
  }
}
