import Authentication
package import Documents
import Foundation
import Models
import Networking
import Sync

/// The provider QuickBooks Online.
package struct QuickBooksProvider: Provider {
  package let name = "quickbooks"

  package init() {}

  package var profile: ProviderProfile {
    // https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0
    var profile = ProviderProfile(
      title: "QuickBooks",
      records: "invoices, credit memos, bills, vendor credits, payments, contacts",
      reads: "what changed; everything if the last sync is over 29 days old",
      baseURL: "https://quickbooks.api.intuit.com",
      authorizationURL: "https://appcenter.intuit.com/connect/oauth2",
      tokenURL: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer")
    profile.registrationURL = "https://developer.intuit.com/app/developer/dashboard"
    // https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/set-redirect-uri
    profile.steps = """
      Take the keys of Production: Development keys reach sandbox companies only. Intuit shows
      Production keys once you have answered its app assessment questionnaire (Keys and \
      credentials).
      The redirect URI belongs to Settings, Redirect URIs, Production: https, no IP address.
      The default is the page of Intuit's OAuth 2.0 Playground, or enter an https address that you
      own. After you have signed in, copy the address on which the browser ends.
      For a sandbox company: appcore setup --environment sandbox
      """
    profile.sandboxSteps = """
      Take the keys of Development; they reach sandbox companies only.
      The redirect URI belongs to Settings, Redirect URIs, Development.
      """
    profile.signIn = "browser, with the address of its last page pasted; or access token"
    profile.clientIDName = "Client ID"
    profile.hasClientSecret = true
    profile.needsRedirectPage = true
    profile.redirectURI = "https://developer.intuit.com/v2/OAuth2Playground/RedirectUrl"
    profile.sandbox = SandboxAddresses(baseURL: "https://sandbox-quickbooks.api.intuit.com")
    profile.revocationURL = "https://developer.api.intuit.com/v2/oauth2/tokens/revoke"
    profile.scopes = ["com.intuit.quickbooks.accounting"]
    // The company that the user chose.
    profile.redirectTenantParameter = "realmId"
    // Most renewals return the refresh token that was sent, so a token is rarely replaced. About
    // once a day the value changes, and QuickBooks accepts the previous one for another day;
    // appcore relies on one hour.
    profile.refreshTokenReplay = .accepted(for: .seconds(3_600))
    // https://developer.intuit.com/app/developer/qbo/docs/learn/rest-api-features#limits-and-throttles
    // 500 requests a minute per company, and 40 concurrent requests per company and app.
    profile.rateLimits = [RateLimit(requests: 500, interval: .seconds(60))]
    profile.concurrency = 40
    return profile
  }

  package func lists(in context: ProviderContext) -> [ProviderList] {
    func feed<List: QuickBooksList>(_: List.Type) -> QuickBooksFeed<List> {
      QuickBooksFeed(List.self, baseURL: context.baseURL, realmID: context.tenantID)
    }
    return [
      .invoices(feed(QuickBooksInvoices.self)), .payments(feed(QuickBooksPayments.self)),
      .contacts(feed(QuickBooksContacts.self)),
    ]
  }

  package func documents(in context: ProviderContext) -> (any DocumentSource)? {
    QuickBooksDocuments(baseURL: context.baseURL, realmID: context.tenantID)
  }

  /// The version of the API; without it, QuickBooks answers in the format of 2014.
  static let version = URLQueryItem(name: "minorversion", value: "75")
}
