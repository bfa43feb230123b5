package import Networking
import Sync

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
}
