import Networking
import Storage
import Synchronization
import SystemSupport

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
  private var batches = Prefetcher<[String], Feed.Cursor>()

  init(_ client: FeedClient<Feed>, encodingFor store: ResourceStore<Feed.Record>) {
    self.client = client
    self.store = store
    maxConcurrentPages = max(1, client.feed.traits.maxConcurrentPages)
  }

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

  mutating func page(
    at cursor: Feed.Cursor, within limit: Duration?
  ) async throws -> EncodedPage<Feed.Cursor> {
    prepare(cursor)
    return try await outcome(of: pages.removeFirst(), within: limit)
  }

  mutating func records(
    for ids: [String], at cursor: Feed.Cursor, within limit: Duration?
  ) async throws -> EncodedPage<Feed.Cursor> {
    prepare([ids], at: cursor)
    return try await outcome(of: batches.removeFirst(), within: limit)
  }

  func count(at cursor: Feed.Cursor, within limit: Duration?) async throws -> ListCount {
    try await value(within: limit) { [client] in try await client.count(at: cursor) }
  }

  func value<Value: Sendable>(
    within limit: Duration?, of body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await outcome(of: Task { try await body() }, within: limit)
  }

  mutating func abandon() {
    pages.abandon()
    batches.abandon()
  }

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
      try await client.page(at: cursor).encoded(for: store)
    }
  }

  private func reading(
    _ ids: [String], at cursor: Feed.Cursor
  ) -> @Sendable () async throws -> EncodedPage<Feed.Cursor> {
    { [client, store] in
      try await client.records(for: ids, at: cursor).encoded(for: store)
    }
  }
}

extension Page {
  /// Returns the page with its records as they are stored.
  fileprivate consuming func encoded<Record: SyncedRecord>(
    for store: ResourceStore<Record>
  ) -> EncodedPage<Cursor> where Records == [Record] {
    var records: [Record] = []
    swap(&records, &self.records)
    return with(store.encode(consume records))
  }
}

/// The bounds of pages that have arrived and are not stored yet.
enum WaitingPages {
  /// The number of bytes of their values up to which others may follow: those that wait to be read,
  /// and those that wait to be stored in one transaction.
  ///
  /// It is large enough that storing does not wait for a slow page, and uses little memory compared
  /// with the rest.
  static let mostBytes = 3 << 19
}

/// Pages that are fetched before they are needed, in the order in which they will be read.
struct Prefetcher<Key: Equatable & Sendable, Cursor: Sendable>: Sendable {
  typealias Page = EncodedPage<Cursor>

  /// The arrival of a prefetched page.
  private final class Arrival: Sendable {
    /// The number of bytes of the page's records; `nil` until it has arrived, or if it failed.
    let bytes = Mutex<Int?>(nil)
  }

  private struct Reading: Sendable {
    let key: Key
    let arrival: Arrival
    let task: Task<Page, any Error>

    var bytes: Int? { arrival.bytes.withLock { $0 } }
  }

  private var readings: [Reading] = []

  var count: Int { readings.count }

  var last: Key? { readings.last?.key }

  /// Returns whether another page may be requested.
  ///
  /// Pages that have arrived do not count while they are small, up to three times as many.
  ///
  /// - Parameter limit: the number of pages that may be requested concurrently.
  func mayGrow(_ limit: Int) -> Bool {
    let arrived = readings.compactMap(\.bytes)
    return readings.count - arrived.count < limit
      && (readings.count < limit
        || readings.count < 4 * limit && arrived.reduce(0, +) < WaitingPages.mostBytes)
  }

  func hasArrived(_ key: Key) -> Bool {
    readings.first.map { $0.key == key && $0.bytes != nil } ?? false
  }

  /// Cancels all pages if the first one is not the page needed next: none of them is useful then.
  mutating func expect(_ key: Key) {
    if let first = readings.first, first.key != key { abandon() }
  }

  mutating func append(_ key: Key, _ read: @escaping @Sendable () async throws -> Page) {
    let arrival = Arrival()
    // The priority is lower than the run's: otherwise the run would wait for a page to be parsed
    // before it stores the next one.
    let task = Task(priority: .utility) {
      let page = try await read()
      arrival.bytes.withLock { $0 = page.records.byteCount }
      return page
    }
    readings.append(Reading(key: key, arrival: arrival, task: task))
  }

  /// Removes and returns the first page; there has to be one.
  mutating func removeFirst() -> Task<Page, any Error> { readings.removeFirst().task }

  mutating func abandon() {
    for reading in readings { reading.task.cancel() }
    readings = []
  }
}
