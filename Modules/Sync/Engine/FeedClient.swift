import Models
import Networking
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

  /// Finds the cursor to begin at.
  func begin(_ start: FeedStart<Feed.Cursor>) async throws -> Feed.Cursor {
    try await feed.begin(start, ask: ask)
  }

  /// Sends the request for the page at a cursor.
  func response(at cursor: Feed.Cursor) async throws -> Response {
    do {
      return try await ask(feed.request(at: cursor))
    } catch let error as SyncError {
      throw feed.explained(error, at: cursor)
    }
  }

  /// Fetches the page at a cursor.
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

  /// Parses the page that was requested at a cursor, and completes it.
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
    return try await feed.complete(page, at: cursor, ask: ask)
  }

  /// Fetches records of a list of versions by their identifiers.
  func records(
    for ids: [String], at cursor: Feed.Cursor
  ) async throws -> Page<[Feed.Record], Feed.Cursor> {
    try await feed.versions.fetch(ids, cursor, ask)
  }

  /// Counts the records of the whole list.
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
