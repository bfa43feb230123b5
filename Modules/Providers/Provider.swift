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

  /// Returns the list of invoices; `nil` if the provider has none, whatever the context.
  func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)?

  /// Returns the list of contacts; `nil` if the provider has none, whatever the context.
  func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)?

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
}

extension Provider {
  /// Returns `nil`: appcore does not list the contacts of most providers.
  public func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? { nil }

  /// Returns no fields: most logins reach one organisation, or its identifier is in the path.
  public func requestFields(in context: ProviderContext) -> HTTPFields { [:] }

  /// Returns `nil`: most logins reach one organisation, which the provider does not name.
  public func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? { nil }

  /// Returns the resources that the provider lists, invoices first.
  package func resources(in context: ProviderContext) -> [Resource] {
    Resource.allCases.filter { resource in
      switch resource {
      case .invoices: invoices(in: context) != nil
      case .contacts: contacts(in: context) != nil
      }
    }
  }
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
    if let feed = invoices(in: context) {
      try await AccessCheck(over: session).run(feed)
    } else if let feed = contacts(in: context) {
      try await AccessCheck(over: session).run(feed)
    }
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
    if let feed = invoices(in: context) { return try await listed(feed) }
    if let feed = contacts(in: context) { return try await listed(feed) }
    return nil
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
    return switch resource {
    case .invoices: invoices(in: context).map { sync($0, into: database.invoiceStore) }
    case .contacts: contacts(in: context).map { sync($0, into: database.contactStore) }
    }
  }

  /// Reads one page of a resource; returns `nil` if the provider does not list the resource.
  ///
  /// - Throws: `SyncError`, and the errors of the session and the authenticator.
  package func sample(
    of resource: Resource, in context: ProviderContext, over session: Session
  ) async throws -> ResourceSample? {
    switch resource {
    case .invoices:
      guard let feed = invoices(in: context) else { return nil }
      return try await ResourceSample(reading: feed, of: resource, over: session)
    case .contacts:
      guard let feed = contacts(in: context) else { return nil }
      return try await ResourceSample(reading: feed, of: resource, over: session)
    }
  }
}
