import Authentication
package import HTTPTypes
import Models
import Networking
import Sync

/// The provider Square.
package struct SquareProvider: Provider {
  package let name = "square"

  package init() {}

  package var profile: ProviderProfile {
    // https://developer.squareup.com/docs/oauth-api/overview
    var profile = ProviderProfile(
      title: "Square", records: "invoices with the lines of their orders, contacts",
      reads: "every invoice, and the contacts that changed",
      baseURL: "https://connect.squareup.com",
      authorizationURL: "https://connect.squareup.com/oauth2/authorize",
      tokenURL: "https://connect.squareup.com/oauth2/token")
    profile.registrationURL = "https://developer.squareup.com/apps"
    // https://developer.squareup.com/docs/oauth-api/create-urls-for-square-authorization
    profile.steps = """
      Open an application, choose Production at the top of the page, then OAuth.
      Copy the Application ID, and set the Redirect URL: any https address that you own. After you
      have signed in, copy the address on which the browser ends. No application secret is needed.
      For a Sandbox account: appcore setup --environment sandbox
      """
    profile.sandboxSteps = """
      Open an application, choose Sandbox at the top of the page, then OAuth.
      Copy the Sandbox Application ID. For a sign-in, open the Sandbox test account's dashboard in
      the same browser first.
      """
    profile.tokenSteps = """
      Open your application; the access token of your own account is on its page Credentials. It has
      all permissions and never expires.
      """
    profile.signIn = "browser, with the address of its last page pasted; or access token"
    profile.clientIDName = "Application ID"
    profile.redirectName = "Redirect URL"
    profile.hasClientSecret = false
    profile.takesToken = true
    profile.needsRedirectPage = true
    profile.sendsJSONTokenRequests = true
    var sandbox = SandboxAddresses(baseURL: "https://connect.squareupsandbox.com")
    sandbox.authorizationURL = "https://connect.squareupsandbox.com/oauth2/authorize"
    sandbox.tokenURL = "https://connect.squareupsandbox.com/oauth2/token"
    profile.sandbox = sandbox
    // Square's `/oauth2/revoke` does not follow RFC 7009: it requires the scheme
    // `Authorization: Client` with the secret, and the access token as JSON. So there is no
    // revocation URL here.
    profile.clientAuthentication = .post
    profile.scopes = ["INVOICES_READ", "ORDERS_READ", "MERCHANT_PROFILE_READ", "CUSTOMERS_READ"]
    profile.listScopes = [.contacts: "CUSTOMERS_READ"]
    // With a secret, the refresh token never changes; with PKCE alone, each one works only once.
    // Square publishes no rate limits.
    return profile
  }

  package func lists(in context: ProviderContext) -> [ProviderList] {
    [
      .invoices(
        SquareFeed(
          baseURL: context.baseURL, locationID: context.tenantID, timeZone: context.timeZone)),
      .contacts(SquareCustomersFeed(baseURL: context.baseURL, locationID: context.tenantID)),
    ]
  }

  package func requestFields(in context: ProviderContext) -> HTTPFields { SquareRequests.fields }
}
