public import Foundation
package import Logging
public import Models
public import Networking
package import Storage
public import Sync

/// A service that holds a person's invoices: where it is, how one signs in there, and what it lists.
///
/// A front end can have one of its own; see <doc:WritingAProvider>.
public protocol Provider: Sendable {
  /// The name in the configuration, such as `xero`: 1 to 64 letters, digits, `.`, `_` or `-`.
  var name: String { get }

  /// What is known of the provider without asking it.
  var traits: ProviderTraits { get }

  /// What can be synced: `invoices`, and `contacts` where the provider lists them; invoices come first.
  var resources: [String] { get }

  /// The sync of a resource; `nil` for one that the provider does not list.
  func sync(of resource: String, in context: ProviderContext) -> ResourceSync?
}

/// What is known of a provider without asking it; every address can be configured otherwise.
public struct ProviderTraits: Sendable {
  /// Where the API is.
  public var baseURL: String
  /// Where a person signs in.
  public var authorizationURL: String
  /// Where tokens are had.
  public var tokenURL: String
  /// An issuer whose metadata names the endpoints that are empty or absent here (RFC 8414).
  public var issuer: String?
  /// Where tokens are given back.
  public var revocationURL: String?
  /// Where a device asks for a code.
  public var deviceAuthorizationURL: String?
  /// How a client with a secret shows it to the token endpoint.
  public var clientAuthentication = ClientAuthentication.basic
  /// How the API is shown the access token, or the key that was handed over in its place.
  public var tokenScheme = TokenScheme.bearer
  /// What is asked for at sign-in.
  public var scopes: [String] = []
  /// What becomes of a refresh token that is sent once more after it was spent.
  public var refreshTokenReplay = RefreshTokenReplay.refused
  /// Whether a renewal names the redirect URI of the sign-in once more, as FreshBooks wants it.
  public var refreshSendsRedirectURI = false
  /// The parameter of the redirect after a sign-in that names the organisation, such as QuickBooks'
  /// `realmId`.
  ///
  /// What it says is kept with the login, and is ``ProviderContext/tenantID`` where the configuration names
  /// none.
  public var redirectTenantParameter: String?
  /// How often requests may be sent, as the provider publishes it; each of the limits is kept.
  public var rateLimits: [RateLimit] = []
  /// How many requests may be sent at once, as the provider publishes it.
  public var concurrency: Int?
  /// Whether one signs in there; else accounts are handed a token.
  public let signsIn: Bool

  /// Creates the traits of a provider that publishes no limits; the addresses are `https` URLs.
  public init(baseURL: String, authorizationURL: String, tokenURL: String) {
    self.baseURL = baseURL
    self.authorizationURL = authorizationURL
    self.tokenURL = tokenURL
    signsIn = true
  }

  /// Creates the traits of a provider at which nobody signs in: its accounts are handed a token, as
  /// `appcore login --token-stdin` does.
  public init(baseURL: String) {
    self.baseURL = baseURL
    // Nothing is sent there; the address tells whose the tokens are.
    authorizationURL = baseURL
    tokenURL = baseURL
    signsIn = false
  }
}

/// How a client with a secret shows it to the token endpoint (RFC 6749 section 2.3.1).
public enum ClientAuthentication: String, Sendable {
  /// In the `Authorization` header.
  case basic = "client_secret_basic"
  /// In the form.
  case post = "client_secret_post"
}

/// What a sync of one account is made of.
public struct ProviderContext: Sendable {
  /// The account's name in the configuration.
  public let account: String
  /// Where the provider's API is; as configured, else as its traits say.
  public let baseURL: URL
  /// The organisation, for a login that reaches several: as configured, else as the sign-in's redirect named
  /// it; `nil` where neither did.
  public let tenantID: String?
  package let session: Session
  package let database: LocalDatabase
  package let logger: Logger
  package let signIn: SignInSource

  package init(
    account: String, baseURL: URL, tenantID: String?, session: Session, database: LocalDatabase,
    signIn: SignInSource = SignInSource(), logger: Logger
  ) {
    self.account = account
    self.baseURL = baseURL
    self.tenantID = tenantID
    self.session = session
    self.database = database
    self.signIn = signIn
    self.logger = logger
  }

  /// The sync of a list of invoices, over the account's session into its database.
  public func sync(invoices feed: some ResourceFeed<Invoice>) -> ResourceSync {
    sync(feed, into: database.invoiceStore)
  }

  /// The sync of a list of contacts, over the account's session into its database.
  public func sync(contacts feed: some ResourceFeed<Contact>) -> ResourceSync {
    sync(feed, into: database.contactStore)
  }

  private func sync<Feed: ResourceFeed>(
    _ feed: Feed, into store: ResourceStore<Feed.Record>
  ) -> ResourceSync {
    ResourceSync(
      account: account, feed: feed, session: session, store: store, signIn: signIn, logger: logger)
  }
}
