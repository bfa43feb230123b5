package import Logging
package import Models
package import Networking
package import Storage
package import Sync

extension Provider {
  /// Returns the sync of a resource into a database; `nil` if the provider does not list the
  /// resource.
  package func sync(
    _ resource: Resource, in context: ProviderContext, over session: Session,
    into database: LocalDatabase, signIn: SignInSource = SignInSource(),
    maximumDeletedPercent: Int = SyncOptions.defaultMaximumDeletedPercent, logger: Logger
  ) -> ResourceSync? {
    func sync<Feed: ResourceFeed>(
      _ feed: Feed, into store: ResourceStore<Feed.Record>
    ) -> ResourceSync {
      ResourceSync(
        account: context.account, feed: feed, session: session, store: store, signIn: signIn,
        maximumDeletedPercent: maximumDeletedPercent, logger: logger)
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
