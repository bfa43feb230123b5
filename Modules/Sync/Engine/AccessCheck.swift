package import Networking
import Synchronization
import SystemSupport

/// A check that a server accepts the credentials of a session: one request of a feed.
package struct AccessCheck: Sendable {
  private let session: Session

  /// - Parameter session: the session to send the request with.
  package init(over session: Session) {
    self.session = session
  }

  /// Sends requests for `body`, with the checks of a feed's responses.
  package func asking<Result>(
    for feed: some ResourceFeed, _ body: (@escaping Ask) async throws -> Result
  ) async throws -> Result {
    do {
      return try await body(client(of: feed).ask)
    } catch is CursorExpired {
      throw ResourceSync.listNotFound
    }
  }

  /// Requests what the feed asks for after a sign-in, or else its first page.
  ///
  /// - Throws: ``SyncError/credentialsRejected(message:)`` and
  /// ``SyncError/accessDenied(status:message:)`` if the
  ///   server refuses the credentials; the errors of the session and the feed.
  package func run<Feed: ResourceFeed>(_ feed: Feed) async throws {
    let count = Mutex(0)
    let client = client(of: feed)
    try await asking(for: feed) { ask in
      let cursor: Feed.Cursor
      do {
        cursor = try await feed.begin(.signIn(known: nil)) { request in
          let response = try await ask(request)
          count.withLock { $0 += 1 }
          return response
        }
      } catch SyncError.organisationUnclear where count.withLock({ $0 > 0 }) {
        // The server has listed the organisations, so it accepts the credentials.
        return
      }
      guard count.withLock({ $0 == 0 }) else { return }
      _ = try await client.response(at: cursor)
    }
  }

  private func client<Feed: ResourceFeed>(of feed: Feed) -> FeedClient<Feed> {
    FeedClient(feed: feed, session: session, clock: .system, maximumWait: .seconds(60))
  }
}
