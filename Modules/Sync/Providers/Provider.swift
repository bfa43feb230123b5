package import Foundation
package import Logging
package import Networking
package import Storage

/// A service that holds a person's invoices: where it is, how one signs in there, and what it lists.
package protocol Provider: Sendable {
  /// The name in the configuration, such as `xero`.
  var name: String { get }

  /// What is known of the provider without asking it.
  var traits: ProviderTraits { get }

  /// What can be synced, such as `invoices`; invoices come first.
  var resources: [String] { get }

  /// The sync of a resource; `nil` for one that the provider does not list.
  func sync(of resource: String, in context: ProviderContext) -> ResourceSync?
}

/// What is known of a provider without asking it; every address can be configured otherwise.
package struct ProviderTraits: Sendable {
  /// Where the API is.
  package var baseURL: String
  /// Where a person signs in.
  package var authorizationURL: String
  /// Where tokens are had.
  package var tokenURL: String
  /// An issuer whose metadata names the endpoints in place of those here (RFC 8414).
  package var issuer: String?
  /// Where tokens are given back.
  package var revocationURL: String?
  /// Where a device asks for a code.
  package var deviceAuthorizationURL: String?
  /// How a client with a secret shows it to the token endpoint.
  package var clientAuthentication = ClientAuthentication.basic
  /// What is asked for at sign-in.
  package var scopes: [String] = []
  /// How long a refresh token that was spent is still taken; `nil` where that ends the login.
  package var refreshTokenGrace: Duration?
  /// How often requests may be sent, as the provider publishes it.
  package var rateLimit: RateLimit?
  /// How many requests may be sent at once, as the provider publishes it.
  package var concurrency: Int?

  package init(baseURL: String, authorizationURL: String, tokenURL: String) {
    self.baseURL = baseURL
    self.authorizationURL = authorizationURL
    self.tokenURL = tokenURL
  }
}

/// How a client with a secret shows it to the token endpoint (RFC 6749 section 2.3.1).
package enum ClientAuthentication: String, Sendable {
  /// In the `Authorization` header.
  case basic = "client_secret_basic"
  /// In the form.
  case post = "client_secret_post"
}

/// What a sync of one account is made of.
package struct ProviderContext: Sendable {
  package let account: String
  package let baseURL: URL
  /// The organisation, for a login that reaches several.
  package let tenantID: String?
  package let session: Session
  package let database: LocalDatabase
  package let lockFolder: String
  package let logger: Logger

  package init(
    account: String, baseURL: URL, tenantID: String?, session: Session, database: LocalDatabase,
    lockFolder: String, logger: Logger
  ) {
    self.account = account
    self.baseURL = baseURL
    self.tenantID = tenantID
    self.session = session
    self.database = database
    self.lockFolder = lockFolder
    self.logger = logger
  }

  /// The sync of a list into a table.
  package func sync<Feed: ResourceFeed>(
    _ feed: Feed, into store: ResourceStore<Feed.Record>
  ) -> ResourceSync {
    ResourceSync(
      account: account, feed: feed, session: session, store: store, lockFolder: lockFolder,
      logger: logger)
  }
}
