import HTTPTypes
package import Models
package import Networking
import Storage
import SystemSupport

/// Reads pages and encodes what they hold, so many at once as the feed allows, and hands them out in
/// order.
///
/// Reading is done beside storing: what is fetched and read here waits to be asked for, and never more
/// than a few pages of it.
struct PageReader<Feed: ResourceFeed>: Sendable {
  typealias Page = ReadPage<Feed.Cursor>

  private let feed: Feed
  private let session: Session
  private let store: ResourceStore<Feed.Record>
  private let clock: TimeSource
  /// The longest that the session may wait by itself.
  private let maximumWait: Duration
  private var pages = Prefetcher<Feed.Cursor, Feed.Cursor>()
  /// Of a list of versions: records by their identifiers.
  private var batches = Prefetcher<[String], Feed.Cursor>()

  init(
    feed: Feed, session: Session, store: ResourceStore<Feed.Record>, clock: TimeSource,
    maximumWait: Duration
  ) {
    self.feed = feed
    self.session = session
    self.store = store
    self.clock = clock
    self.maximumWait = maximumWait
  }

  /// Sees to it that the page at a cursor is on its way, and what is guessed to follow it.
  mutating func prepare(_ cursor: Feed.Cursor) {
    // A guess that did not come true is of no use any more.
    pages.expect(cursor)
    var next = pages.last.map { feed.predictedCursor(after: $0) } ?? cursor
    while pages.mayGrow(max(1, feed.maxConcurrentPages)), let cursor = next {
      pages.append(cursor, reading(cursor))
      next = feed.predictedCursor(after: cursor)
    }
  }

  /// Sees to it that the first of some batches of records, by their identifiers, are on their way, as many
  /// of them as of pages.
  mutating func prepare(_ batches: ArraySlice<[String]>, at cursor: Feed.Cursor) {
    guard let first = batches.first else { return }
    self.batches.expect(first)
    for ids in batches.prefix(max(1, feed.maxConcurrentPages)).dropFirst(self.batches.count) {
      self.batches.append(ids, reading(ids, at: cursor))
    }
  }

  /// Whether a page has arrived already.
  func isThere(_ cursor: Feed.Cursor) -> Bool { pages.hasArrived(cursor) }

  /// Where a list begins, or `CancellationError` where that does not come within a time.
  func begin(
    _ start: FeedStart<Feed.Cursor>, within limit: Duration?
  ) async throws -> Feed.Cursor {
    let task = Task { [feed, session, clock, maximumWait] in
      try await Session.waiting(atMost: maximumWait) {
        try await clock.tellingLimit { try await feed.begin(start, over: session) }
      }
    }
    return try await outcome(of: task, within: limit)
  }

  /// The page at a cursor, or `CancellationError` where it does not come within a time.
  mutating func page(at cursor: Feed.Cursor, within limit: Duration?) async throws -> Page {
    prepare(cursor)
    return try await outcome(of: pages.removeFirst(), within: limit)
  }

  /// Records by their identifiers, or `CancellationError` where they do not come within a time.
  mutating func records(
    _ ids: [String], at cursor: Feed.Cursor, within limit: Duration?
  ) async throws -> Page {
    prepare([ids], at: cursor)
    return try await outcome(of: batches.removeFirst(), within: limit)
  }

  /// How many records the server has, or `CancellationError` where that does not come within a time;
  /// `nil` where it need not, or does not, say.
  func count(at cursor: Feed.Cursor, within limit: Duration?) async throws -> Int? {
    guard let request = try feed.countRequest(at: cursor) else { return nil }
    let task = Task { [feed, session, clock, maximumWait] in
      try feed.count(
        try await Self.answer(to: request, for: feed, session, clock, maximumWait))
    }
    return try await outcome(of: task, within: limit)
  }

  /// What a body returns, or `CancellationError` where that does not come within a time.
  func value<Value: Sendable>(
    within limit: Duration?, of body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await outcome(of: Task { try await body() }, within: limit)
  }

  /// Ends what is on its way.
  mutating func abandon() {
    pages.abandon()
    batches.abandon()
  }

  /// What comes of a task that is cancelled with the caller, or when its time is up.
  private func outcome<Value: Sendable>(
    of task: Task<Value, any Error>, within limit: Duration?
  ) async throws -> Value {
    let deadline = limit.map { limit in
      Task { [clock] in
        try await clock.sleep(limit)
        task.cancel()
      }
    }
    defer { deadline?.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func reading(_ cursor: Feed.Cursor) -> @Sendable () async throws -> Page {
    { [feed, session, store, clock, maximumWait] in
      @Sendable func ask(_ request: Request) async throws -> Response {
        try await Self.answer(to: request, for: feed, session, clock, maximumWait)
      }
      var page = try feed.page(try await ask(feed.request(at: cursor)), at: cursor)
      if !page.unfinished.isEmpty { page = try await feed.completing(page, at: cursor, ask) }
      return Self.encoded(page, store)
    }
  }

  private func reading(
    _ ids: [String], at cursor: Feed.Cursor
  ) -> @Sendable () async throws -> Page {
    { [feed, session, store, clock, maximumWait] in
      let page = try await feed.records(for: ids, at: cursor) { request in
        try await Self.answer(to: request, for: feed, session, clock, maximumWait)
      }
      return Self.encoded(page, store)
    }
  }

  private static func encoded(
    _ page: FeedPage<Feed.Record, Feed.Cursor>, _ store: ResourceStore<Feed.Record>
  ) -> Page {
    Page(page, records: store.encode(page.records))
  }

  private static func answer(
    to request: Request, for feed: Feed, _ session: Session, _ clock: TimeSource,
    _ maximumWait: Duration
  ) async throws -> Response {
    var request = request
    request.maximumWait = maximumWait
    return try await clock.tellingLimit { [request] in
      try await session.send(request).checked(at: clock.now, for: feed)
    }
  }
}

extension Response {
  /// The same, where a provider's answers tell more than their status does.
  package func checked(at now: Timestamp, for feed: some ResourceFeed) throws -> Response {
    switch try feed.failure(in: self) {
    case nil where head.status.code == 304 && feed.asksConditionally: return self
    case nil: return try checked(at: now)
    case .rateLimited(retryAt: nil)?: throw SyncError.rateLimited(retryAt: retryAt(now))
    case let failure?: throw failure
    }
  }

  /// The response where it is a page, else what it means for a sync.
  ///
  /// - Throws: ``SyncError``, ``CursorExpired``.
  package func checked(at now: Timestamp) throws -> Response {
    let status = head.status.code
    switch (status, RetryAfter.seconds(in: head, now: now.date)) {
    case (200, _): return self
    case (401, _): throw SyncError.credentialsRejected
    case (403, _), (404, _): throw SyncError.accessDenied(status: status)
    case (410, _): throw CursorExpired()
    case (429, _), (503, .some):
      throw SyncError.rateLimited(retryAt: retryAt(now))
    default: throw SyncError.serverFailed(status: status)
    }
  }

  /// When to come back; without a word from the server in a minute, by which most limits are counted.
  private func retryAt(_ now: Timestamp) -> Timestamp {
    let seconds = RetryAfter.seconds(in: head, now: now.date) ?? 60
    return now.adding(seconds: Int64(seconds.rounded(.up)))
  }
}
