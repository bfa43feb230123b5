import Storage
import Synchronization

/// Pages that are fetched before they are needed, in the order in which they will be read.
struct Prefetcher<Key: Equatable & Sendable, Cursor: Sendable>: Sendable {
  typealias Page = EncodedPage<Cursor>

  /// The arrival of a prefetched page.
  private final class Arrival: Sendable {
    /// The number of the page's records; `nil` until it has arrived, or if it failed.
    let records = Mutex<Int?>(nil)
  }

  private struct Reading: Sendable {
    let key: Key
    let arrival: Arrival
    let task: Task<Page, any Error>

    var records: Int? { arrival.records.withLock { $0 } }
  }

  /// The number of records that may wait beyond the pages that are requested concurrently.
  ///
  /// It is large enough that storing does not wait for a slow page, and uses little memory compared
  /// with the rest.
  private static var waitingRecords: Int { 1_000 }

  private var readings: [Reading] = []

  var count: Int { readings.count }

  /// The page that was requested last.
  var last: Key? { readings.last?.key }

  /// Returns whether another page may be requested.
  ///
  /// Pages that have arrived do not count while they hold few records, up to as many pages again.
  ///
  /// - Parameter limit: the number of pages that may be requested concurrently.
  func mayGrow(_ limit: Int) -> Bool {
    let arrived = readings.compactMap(\.records)
    return readings.count - arrived.count < limit
      && (readings.count < limit
        || readings.count < 2 * limit && arrived.reduce(0, +) < Self.waitingRecords)
  }

  /// Returns whether a page is the next one and has arrived.
  func hasArrived(_ key: Key) -> Bool {
    readings.first.map { $0.key == key && $0.records != nil } ?? false
  }

  /// Cancels all pages if the first one is not the page needed next: none of them is useful then.
  mutating func expect(_ key: Key) {
    if let first = readings.first, first.key != key { abandon() }
  }

  /// Starts fetching a page.
  mutating func append(_ key: Key, _ read: @escaping @Sendable () async throws -> Page) {
    let arrival = Arrival()
    // The priority is lower than the run's: otherwise the run would wait for a page to be parsed
    // before it stores the next one.
    let task = Task(priority: .utility) {
      let page = try await read()
      arrival.records.withLock { $0 = page.records.entries.count }
      return page
    }
    readings.append(Reading(key: key, arrival: arrival, task: task))
  }

  /// Removes and returns the first page; there has to be one.
  mutating func removeFirst() -> Task<Page, any Error> { readings.removeFirst().task }

  /// Cancels all pages.
  mutating func abandon() {
    for reading in readings { reading.task.cancel() }
    readings = []
  }
}
