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
    traits.facts.registrationURL = "https://developer.squareup.com/apps"
    // https://developer.squareup.com/docs/oauth-api/create-urls-for-square-authorization
    traits.facts.steps = """
      Open an application, choose Production at the top of the page, then OAuth.
      Copy the Application ID, and set the Redirect URL: any https address that you own. After you
      have signed in, copy the address on which the browser ends. No application secret is needed.
      For your own account you can paste its access token instead (Credentials, Production); it has
      all permissions and never expires.
      For a Sandbox account: appcore setup --environment sandbox
      """
    traits.facts.sandboxSteps = """
      Open an application, choose Sandbox at the top of the page, then OAuth.
      Copy the Sandbox Application ID. For a sign-in, open the Sandbox test account's dashboard in
      the same browser first. Or paste the Sandbox access token (Credentials).
      """
    traits.facts.records = "invoices with the lines of their orders"
    traits.facts.reads = "everything"
    traits.facts.signIn = "browser, with the address of its last page pasted; or access token"
    traits.facts.clientIDName = "Application ID"
    traits.facts.redirectName = "Redirect URL"
    traits.facts.hasClientSecret = false
    traits.facts.takesToken = true
    traits.needsRedirectPage = true
    traits.sendsJSONTokenRequests = true
    var sandbox = SandboxAddresses(baseURL: "https://connect.squareupsandbox.com")
    sandbox.authorizationURL = "https://connect.squareupsandbox.com/oauth2/authorize"
    sandbox.tokenURL = "https://connect.squareupsandbox.com/oauth2/token"
    traits.sandbox = sandbox
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
    SquareFeed(
      baseURL: context.baseURL, locationID: context.tenantID, timeZone: context.timeZone)
  }
}
