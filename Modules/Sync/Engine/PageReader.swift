import Networking
import Storage
import SystemSupport

/// A page whose records are encoded for storage.
typealias EncodedPage<Cursor: Sendable> = Page<EncodedRecords, Cursor>

/// Fetches pages and encodes their records, as many concurrently as the feed allows, and returns
/// them in order.
///
/// It runs concurrently with storing: pages that it has fetched wait until they are needed, and are
/// never more than a few.
struct PageReader<Feed: ResourceFeed>: Sendable {
  private let client: FeedClient<Feed>
  private let store: ResourceStore<Feed.Record>
  let maxConcurrentPages: Int
  private var pages = Prefetcher<Feed.Cursor, Feed.Cursor>()
  /// Batches of records of a list of versions, by their identifiers.
  private var batches = Prefetcher<[String], Feed.Cursor>()

  init(_ client: FeedClient<Feed>, encodingFor store: ResourceStore<Feed.Record>) {
    self.client = client
    self.store = store
    maxConcurrentPages = max(1, client.feed.traits.maxConcurrentPages)
  }

  /// Starts fetching the page at a cursor, and the pages that are predicted to follow it.
  mutating func prepare(_ cursor: Feed.Cursor) {
    // Drops pages that were fetched for a wrong prediction.
    pages.expect(cursor)
    var next = pages.last.map { client.feed.predictedCursor(after: $0) } ?? cursor
    while pages.mayGrow(maxConcurrentPages), let cursor = next {
      pages.append(cursor, reading(cursor))
      next = client.feed.predictedCursor(after: cursor)
    }
  }

  /// Starts fetching the first of some batches of records, as many concurrently as pages.
  mutating func prepare(_ batches: ArraySlice<[String]>, at cursor: Feed.Cursor) {
    guard let first = batches.first else { return }
    self.batches.expect(first)
    for ids in batches.prefix(maxConcurrentPages).dropFirst(self.batches.count) {
      self.batches.append(ids, reading(ids, at: cursor))
    }
  }

  /// Returns whether the page at a cursor has already arrived.
  func hasArrived(_ cursor: Feed.Cursor) -> Bool { pages.hasArrived(cursor) }

  /// Returns the cursor that a list begins at.
  ///
  /// - Throws: `CancellationError` if the response does not arrive within the limit; so do the
  ///   functions below.
  func begin(
    _ start: FeedStart<Feed.Cursor>, within limit: Duration?
  ) async throws -> Feed.Cursor {
    try await value(within: limit) { [client] in try await client.begin(start) }
  }

  /// Returns the page at a cursor.
  mutating func page(
    at cursor: Feed.Cursor, within limit: Duration?
  ) async throws -> EncodedPage<Feed.Cursor> {
    prepare(cursor)
    return try await outcome(of: pages.removeFirst(), within: limit)
  }

  /// Returns records by their identifiers.
  mutating func records(
    for ids: [String], at cursor: Feed.Cursor, within limit: Duration?
  ) async throws -> EncodedPage<Feed.Cursor> {
    prepare([ids], at: cursor)
    return try await outcome(of: batches.removeFirst(), within: limit)
  }

  /// Returns the number of records that the server counts.
  func count(at cursor: Feed.Cursor, within limit: Duration?) async throws -> ListCount {
    try await value(within: limit) { [client] in try await client.count(at: cursor) }
  }

  /// Runs a body within a time limit, and returns its result.
  func value<Value: Sendable>(
    within limit: Duration?, of body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await outcome(of: Task { try await body() }, within: limit)
  }

  /// Cancels all requests in progress.
  mutating func abandon() {
    pages.abandon()
    batches.abandon()
  }

  /// Waits for a task, and cancels it with the caller or when its time is up.
  private func outcome<Value: Sendable>(
    of task: Task<Value, any Error>, within limit: Duration?
  ) async throws -> Value {
    let deadline = limit.map { limit in
      Task { [clock = client.clock] in
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

  private func reading(
    _ cursor: Feed.Cursor
  ) -> @Sendable () async throws -> EncodedPage<Feed.Cursor> {
    { [client, store] in
      let page = try await client.page(at: cursor)
      return page.with(store.encode(page.records))
    }
  }

  private func reading(
    _ ids: [String], at cursor: Feed.Cursor
  ) -> @Sendable () async throws -> EncodedPage<Feed.Cursor> {
    { [client, store] in
      let page = try await client.records(for: ids, at: cursor)
      return page.with(store.encode(page.records))
    }
  }
}
