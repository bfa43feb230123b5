import Foundation
import HTTPTypes
public import Models
public import Networking
import Synchronization
import SystemSupport

/// Sends the requests of a feed, and lets the feed parse the responses.
struct FeedClient<Feed: ResourceFeed>: Sendable {
  let feed: Feed
  let session: Session
  let clock: TimeSource
  /// The longest single wait that the session may make on its own.
  let maximumWait: Duration
  /// Called before each wait of a second or more; `false` refuses it.
  var onWait: @Sendable (RequestWait) -> Bool = { _ in true }
  /// Called after each response that does not ask to wait.
  var onAnswer: @Sendable () -> Void = {}
  /// Receives the responses before they are checked; `nil` if nobody follows the run's log.
  var messages: ServerMessages?

  func begin(_ start: FeedStart<Feed.Cursor>) async throws -> Feed.Cursor {
    try await feed.begin(start, ask: ask)
  }

  func response(at cursor: Feed.Cursor) async throws -> Response {
    do {
      return try await ask(feed.request(at: cursor))
    } catch let error as SyncError {
      throw feed.explained(error, at: cursor)
    }
  }

  func page(at cursor: Feed.Cursor) async throws -> Page<[Feed.Record], Feed.Cursor> {
    let response: Response
    do {
      response = try await ask(feed.request(at: cursor))
    } catch let error as SyncError {
      if let end = try await feed.end(after: error, at: cursor, ask: ask) { return end }
      throw feed.explained(error, at: cursor)
    }
    return try await page(response, at: cursor)
  }

  func page(
    _ response: Response, at cursor: Feed.Cursor
  ) async throws -> Page<[Feed.Record], Feed.Cursor> {
    let page: Page<[Feed.Record], Feed.Cursor>
    do {
      page = try feed.page(response, at: cursor)
    } catch let error as SyncError {
      // A fault can come with status 200.
      throw error.saying(response.providerMessage)
    }
    return try await feed.complete(consume page, at: cursor, ask: ask)
  }

  func records(
    for ids: [String], at cursor: Feed.Cursor
  ) async throws -> Page<[Feed.Record], Feed.Cursor> {
    try await feed.versions.fetch(ids, cursor, ask)
  }

  func count(at cursor: Feed.Cursor) async throws -> ListCount {
    try await feed.count(at: cursor, ask: ask)
  }

  /// Sends a request and checks its response.
  ///
  /// - Throws: ``SyncError/rateLimited(retryAt:)``, also if a published limit would require a
  ///   longer wait than the session may make.
  @Sendable func ask(_ request: Request) async throws -> Response {
    var request = request
    request.maximumWait = maximumWait
    request.onWait = onWait
    do {
      let response = try await session.send(request)
      messages?.note(response)
      let checked = try response.checked(at: clock.now, for: feed)
      onAnswer()
      return checked
    } catch SessionError.rateLimited(let wait) {
      throw SyncError.rateLimited(
        retryAt: clock.now.adding(seconds: Int64(clamping: wait / .seconds(1), rounding: .up)))
    }
  }
}

/// A check that a server accepts the credentials of a session: one request of a feed.
package struct AccessCheck: Sendable {
  private let session: Session

  /// - Parameter session: the session to send the request with.
  package init(over session: Session) {
    self.session = session
  }

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

extension Response {
  /// Returns the response if it is a page; otherwise throws what it means for a sync.
  ///
  /// The feed's reading of the body takes precedence over the status.
  ///
  /// - Parameter now: the time from which the server's waits are counted.
  /// - Throws: ``SyncError``, ``CursorExpired``.
  package func checked(at now: Timestamp, for feed: some ResourceFeed) throws -> Response {
    switch try feed.failure(in: self) {
    case nil where head.status.code == 304 && feed.traits.usesConditionalRequests: return self
    case nil: return try checked(at: now)
    case .rateLimited(retryAt: nil)?: throw SyncError.rateLimited(retryAt: retryAt(now))
    case let failure?: throw failure.saying(providerMessage)
    }
  }

  /// Returns the response if its status is 200, or 204 for an empty list; otherwise throws what the
  /// status means for a sync.
  private func checked(at now: Timestamp) throws -> Response {
    let status = head.status.code
    switch (status, RetryAfter.seconds(in: head, now: now.date)) {
    case (200, _), (204, _):
      // Captive portals and some proxies answer with a page of their own.
      guard body.first(where: { !$0.isASCIISpace }) != UInt8(ascii: "<") else {
        throw SyncError.unreadable(part: "the body", reason: SyncError.webPage)
      }
      return self
    case (401, _): throw SyncError.credentialsRejected(message: providerMessage)
    case (403, _), (404, _): throw SyncError.accessDenied(status: status, message: providerMessage)
    case (410, _): throw CursorExpired()
    case (429, _): throw SyncError.rateLimited(retryAt: retryAt(now))
    case (503, .some): throw SyncError.serverBusy(retryAt: retryAt(now))
    default: throw SyncError.serverFailed(status: status, message: providerMessage)
    }
  }

  /// Returns the time at which to retry: the server's, or else in a minute, since most limits are
  /// counted by the minute.
  private func retryAt(_ now: Timestamp) -> Timestamp {
    let seconds = RetryAfter.seconds(in: head, now: now.date) ?? 60
    return now.adding(seconds: Int64(clamping: seconds, rounding: .up))
  }

  /// The server's clock when it answered, in whole seconds; `nil` if the response does not state
  /// it.
  package var date: Timestamp? {
    head.headerFields[.date].flatMap(HTTPDate.parse).map { Timestamp($0) }
  }

  /// The time of the response: by the server's clock, in whole seconds, or else by this machine's.
  ///
  /// A row dated later than this does not show how far a list was read; see ``Page/newest``.
  public var serverTime: Timestamp { date ?? Timestamp(Date()) }
}

extension UInt8 {
  fileprivate var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
