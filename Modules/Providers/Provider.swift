public import Documents
public import Foundation
public import HTTPTypes
package import Logging
public import Models
package import Networking
package import Storage
public import Sync

/// A service that holds a user's invoices: its address, its sign-in and its lists.
///
/// A front end can define a provider of its own; see <doc:WritingAProvider>.
public protocol Provider: Sendable {
  /// The name in the configuration, such as `xero`: 1 to 64 letters, digits, `.`, `_` or `-`.
  var name: String { get }

  /// The facts about the provider that are known without a request to it.
  var profile: ProviderProfile { get }

  /// Returns the lists of records in the order in which they are synced, invoices first.
  ///
  /// Which lists there are depends on nothing but the provider: the context says whose they are.
  func lists(in context: ProviderContext) -> [ProviderList]

  /// Returns the header fields that each request to the provider's API has besides the credentials:
  /// the organisation that it is about, and the version of the API.
  ///
  /// Feature modules send requests with them; see `ApplicationCore.request(_:to:account:)`.
  func requestFields(in context: ProviderContext) -> HTTPFields

  /// Returns the organisations that the login reaches; `nil` if the provider does not list them.
  ///
  /// A provider that lists them sets ``ProviderProfile/listsOrganisations``.
  func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]?

  /// Returns the ways to the files of invoices; `nil` if the provider gives none.
  func documents(in context: ProviderContext) -> (any DocumentSource)?
}

extension Provider {
  /// Returns no fields: most logins reach one organisation, or its identifier is in the path.
  public func requestFields(in context: ProviderContext) -> HTTPFields { [:] }

  /// Returns `nil`: most logins reach one organisation, which the provider does not name.
  public func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? { nil }

  /// Returns `nil`: many providers give no files.
  public func documents(in context: ProviderContext) -> (any DocumentSource)? { nil }

  /// Returns the resources that the provider lists, invoices first.
  package func resources(in context: ProviderContext) -> [Resource] {
    lists(in: context).map(\.resource)
  }

  /// Returns one of the lists; `nil` if the provider does not have it.
  package func list(_ resource: Resource, in context: ProviderContext) -> ProviderList? {
    lists(in: context).first { $0.resource == resource }
  }
}

/// A list of a provider: its name in the database, and the feed that reads it.
public struct ProviderList: Sendable {
  fileprivate enum Feed {
    case invoices(any ResourceFeed<Invoice>)
    case payments(any ResourceFeed<Payment>)
    case contacts(any ResourceFeed<Contact>)
  }

  /// The list as configurations, reports and the database name it.
  public let resource: Resource
  fileprivate let records: Feed

  /// The feed.
  package var feed: any ResourceFeed {
    switch records {
    case .invoices(let feed): feed
    case .payments(let feed): feed
    case .contacts(let feed): feed
    }
  }

  /// Creates a list of invoices, credit notes or bills.
  ///
  /// - Parameters:
  ///   - feed: reads the list.
  ///   - resource: the name of the list, of the kind of invoices.
  public static func invoices(
    _ feed: any ResourceFeed<Invoice>, as resource: Resource = .invoices
  ) -> ProviderList { ProviderList(resource: resource, records: .invoices(feed)) }

  /// Creates a list of payments, refunds or money on account.
  ///
  /// - Parameters:
  ///   - feed: reads the list.
  ///   - resource: the name of the list, of the kind of payments.
  public static func payments(
    _ feed: any ResourceFeed<Payment>, as resource: Resource = .payments
  ) -> ProviderList { ProviderList(resource: resource, records: .payments(feed)) }

  /// Creates a list of customers or suppliers.
  ///
  /// - Parameters:
  ///   - feed: reads the list.
  ///   - resource: the name of the list, of the kind of contacts.
  public static func contacts(
    _ feed: any ResourceFeed<Contact>, as resource: Resource = .contacts
  ) -> ProviderList { ProviderList(resource: resource, records: .contacts(feed)) }
}

/// The account for which a feed is made.
public struct ProviderContext: Sendable {
  /// The account's name in the configuration.
  public let account: String
  /// The address of the provider's API, from the configuration or else from the provider's profile.
  public let baseURL: URL
  /// The organisation, for a login that reaches several.
  ///
  /// It comes from the configuration or else from the sign-in's redirect; `nil` if neither names
  /// it.
  public let tenantID: String?
  /// The time zone in which the account's instants become days, an IANA name; `nil` takes the one
  /// that the provider states.
  public let timeZone: String?

  package init(account: String, baseURL: URL, tenantID: String?, timeZone: String? = nil) {
    self.account = account
    self.baseURL = baseURL
    self.tenantID = tenantID
    self.timeZone = timeZone
  }
}

extension Provider {
  /// Checks that the server accepts the credentials of a session, with one request if possible.
  ///
  /// - Returns: the organisations that they reach; empty if the provider does not list them.
  /// - Throws: `SyncError.credentialsRejected` and `.accessDenied(status:message:)` if it refuses
  /// them; the
  ///   errors of the session.
  package func checkAccess(
    in context: ProviderContext, over session: Session
  ) async throws -> [Organisation] {
    if let found = try await organisations(in: context, over: session) { return found }
    if let list = lists(in: context).first { try await AccessCheck(over: session).run(list.feed) }
    return []
  }

  /// Returns the organisations that a session's credentials reach; `nil` if the provider does not
  /// list them.
  package func organisations(
    in context: ProviderContext, over session: Session
  ) async throws -> [Organisation]? {
    guard profile.listsOrganisations else { return nil }
    func listed(_ feed: some ResourceFeed) async throws -> [Organisation]? {
      try await AccessCheck(over: session).asking(for: feed) { ask in
        try await organisations(in: context, ask: ask)
      }
    }
    guard let list = lists(in: context).first else { return nil }
    return try await listed(list.feed)
  }

  /// Returns the sync of a resource into a database; `nil` if the provider does not list the
  /// resource.
  package func sync(
    _ resource: Resource, in context: ProviderContext, over session: Session,
    into database: LocalDatabase, signIn: SignInSource = SignInSource(),
    settings: SyncSettings = SyncSettings(), logger: Logger
  ) -> ResourceSync? {
    func sync<Feed: ResourceFeed>(
      _ feed: Feed, into store: ResourceStore<Feed.Record>
    ) -> ResourceSync {
      ResourceSync(
        account: context.account, feed: feed, session: session, store: store, signIn: signIn,
        settings: settings, logger: logger)
    }
    return list(resource, in: context).map { list in
      switch list.records {
      case .invoices(let feed): sync(feed, into: database.invoiceStore(of: resource))
      case .payments(let feed): sync(feed, into: database.paymentStore(of: resource))
      case .contacts(let feed): sync(feed, into: database.contactStore(of: resource))
      }
    }
  }

  /// Reads one page of a resource; returns `nil` if the provider does not list the resource.
  ///
  /// - Throws: `SyncError`, and the errors of the session and the authenticator.
  package func sample(
    of resource: Resource, in context: ProviderContext, over session: Session
  ) async throws -> ResourceSample? {
    guard let list = list(resource, in: context) else { return nil }
    func sample(_ feed: some ResourceFeed) async throws -> ResourceSample {
      try await ResourceSample(reading: feed, of: resource, over: session)
    }
    return try await sample(list.feed)
  }
}
