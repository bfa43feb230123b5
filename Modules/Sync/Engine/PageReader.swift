import Networking
import Storage
import Synchronization
import SystemSupport

typealias EncodedPage<Cursor: Sendable> = Page<EncodedRecords, Cursor>

/// Fetches pages and encodes their records, as many concurrently as the feed allows, and returns
/// them in order.
///
/// It runs concurrently with storing: pages that it has fetched wait until they are needed.
struct PageReader<Feed: ResourceFeed>: Sendable {
  /// Records that are fetched together.
  private struct Batch: Equatable {
    let ids: [String]
    let cursor: Feed.Cursor
  }

  private let client: FeedClient<Feed>
  let maxConcurrentPages: Int
  private let pages: Prefetcher<Feed.Cursor, Feed.Cursor>
  private let batches: Prefetcher<Batch, Feed.Cursor>

  /// - Parameter isLimited: true if the run ends after a number of records, so that pages far ahead
  ///   may be requested in vain.
  init(
    _ client: FeedClient<Feed>, encodingFor store: ResourceStore<Feed.Record>, isLimited: Bool
  ) {
    self.client = client
    maxConcurrentPages = max(1, client.feed.traits.maxConcurrentPages)
    pages = Prefetcher(
      limit: maxConcurrentPages, mostAhead: isLimited ? maxConcurrentPages : nil
    ) { cursor in
      client.feed.predictedCursor(after: cursor)
    } read: { cursor in
      try await client.page(at: cursor).encoded(for: store)
    }
    batches = Prefetcher(limit: maxConcurrentPages) { batch in
      try await client.records(for: batch.ids, at: batch.cursor).encoded(for: store)
    }
  }

  /// Starts fetching the page at a cursor and those after it; drops pages that were fetched for a
  /// wrong prediction.
  func prepare(_ cursor: Feed.Cursor) { pages.prepare([cursor]) }

  /// Starts fetching the first of some batches of records, as many concurrently as pages.
  func prepare(_ batches: ArraySlice<[String]>, at cursor: Feed.Cursor) {
    guard !batches.isEmpty else { return }
    self.batches.prepare(
      batches.prefix(maxConcurrentPages).map { Batch(ids: $0, cursor: cursor) })
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

  func page(
    at cursor: Feed.Cursor, within limit: Duration?
  ) async throws -> EncodedPage<Feed.Cursor> {
    prepare(cursor)
    return try await outcome(of: pages.removeFirst(), within: limit)
  }

  func records(
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

  func abandon() {
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
  /// The number of bytes of their values up to which pages that wait to be stored together
  /// wait for others.
  ///
  /// It is large enough that storing does not wait for a slow page, and uses little memory compared
  /// with the rest.
  static let mostBytes = 3 << 19

  /// The number of bytes of those ahead up to which others are requested.
  static let mostBytesAhead = 1 << 20
}

/// Pages that are fetched before they are needed, in the order in which they will be read.
///
/// A page that has arrived lets the next one follow, also while others are stored.
final class Prefetcher<Key: Equatable & Sendable, Cursor: Sendable>: Sendable {
  typealias Page = EncodedPage<Cursor>

  private struct Reading {
    let number: Int
    let key: Key
    let task: Task<Page, any Error>
    /// The number of bytes of the page's records; `nil` until it has arrived, or if it failed.
    var bytes: Int?
  }

  private struct State {
    var readings: [Reading] = []
    /// The number of pages that were ever requested.
    var started = 0
    /// The number of requests that have not ended, also of pages that are no longer needed.
    var underWay = 0
    /// The number of the last page that is no longer needed.
    var abandoned = 0
    /// True once a page has failed: whoever reads that far may have to wait, or to end.
    var hasFailed = false
  }

  private let limit: Int
  private let mostAhead: Int
  private let following: @Sendable (Key) -> Key?
  private let read: @Sendable (Key) async throws -> Page
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the number of pages that may be requested concurrently.
  ///   - mostAhead: the largest number of pages under way or arrived; more than `limit` only while
  ///     they are small.
  ///   - following: returns the page after another one, if it is known beforehand.
  ///   - read: fetches and encodes a page.
  init(
    limit: Int, mostAhead: Int? = nil,
    following: @escaping @Sendable (Key) -> Key? = { _ in nil },
    read: @escaping @Sendable (Key) async throws -> Page
  ) {
    (self.limit, self.mostAhead) = (limit, mostAhead ?? 4 * limit)
    (self.following, self.read) = (following, read)
  }

  /// Starts fetching pages, the first of which is needed next, and those that follow the last.
  ///
  /// Cancels the others if they begin with another page: none of them is useful then.
  func prepare(_ keys: [Key]) {
    let useless = state.withLock { state in
      var useless: [Task<Page, any Error>] = []
      if let first = state.readings.first, first.key != keys.first {
        useless = Self.forget(&state)
      }
      if state.readings.isEmpty { state.hasFailed = false }
      for key in keys.dropFirst(state.readings.count) {
        // The first is needed, however many others have not ended yet.
        guard state.readings.isEmpty || state.underWay < limit else { break }
        start(key, &state)
      }
      fill(&state)
      return useless
    }
    for task in useless { task.cancel() }
  }

  /// Returns whether a page is the next one, and has arrived.
  func hasArrived(_ key: Key) -> Bool {
    state.withLock { $0.readings.first.map { $0.key == key && $0.bytes != nil } ?? false }
  }

  /// Removes and returns the first page; there has to be one.
  func removeFirst() -> Task<Page, any Error> {
    state.withLock { $0.readings.removeFirst().task }
  }

  /// Cancels all pages.
  func abandon() {
    let useless = state.withLock { Self.forget(&$0) }
    for task in useless { task.cancel() }
  }

  /// Empties the state, and returns the tasks to cancel without its lock: what is called then may
  /// be anything.
  private static func forget(_ state: inout State) -> [Task<Page, any Error>] {
    defer {
      state.readings = []
      state.abandoned = state.started
      state.hasFailed = false
    }
    return state.readings.map(\.task)
  }

  /// Requests the pages that follow the last one, as far as they may wait.
  private func fill(_ state: inout State) {
    while mayGrow(state), let last = state.readings.last, let next = following(last.key) {
      start(next, &state)
    }
  }

  /// Returns whether another page may be requested.
  ///
  /// Pages that have arrived do not count against the limit while they are small.
  private func mayGrow(_ state: State) -> Bool {
    let count = state.readings.count
    guard !state.hasFailed, state.underWay < limit, count < mostAhead else { return false }
    return count < limit
      || state.readings.reduce(0) { $0 + ($1.bytes ?? 0) } < WaitingPages.mostBytesAhead
  }

  private func start(_ key: Key, _ state: inout State) {
    state.started += 1
    state.underWay += 1
    let number = state.started
    // The priority is lower than the run's: otherwise the run would wait for a page to be parsed
    // before it stores the next one.
    let task = Task(priority: .utility) {
      do {
        let page = try await read(key)
        end(number, bytes: page.records.byteCount)
        return page
      } catch {
        end(number, bytes: nil)
        throw error
      }
    }
    state.readings.append(Reading(number: number, key: key, task: task))
  }

  private func end(_ number: Int, bytes: Int?) {
    state.withLock { state in
      state.underWay -= 1
      guard number > state.abandoned else { return }
      if bytes == nil { state.hasFailed = true }
      if let index = state.readings.firstIndex(where: { $0.number == number }) {
        state.readings[index].bytes = bytes
      }
      fill(&state)
    }
  }
}
