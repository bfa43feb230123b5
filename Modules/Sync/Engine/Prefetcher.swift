import Storage
import Synchronization

/// Pages that are fetched before they are asked for, in the order in which they will be.
struct Prefetcher<Key: Equatable & Sendable, Cursor: Sendable>: Sendable {
  typealias Page = EncodedPage<Cursor>

  /// Whether a page has arrived before it is asked for.
  private final class Arrival: Sendable {
    /// The number of its records; `nil` until it has arrived, or where it failed.
    let records = Mutex<Int?>(nil)
  }

  private struct Reading: Sendable {
    let key: Key
    let arrival: Arrival
    let task: Task<Page, any Error>

    var records: Int? { arrival.records.withLock { $0 } }
  }

  /// The number of records that may wait beyond the pages that are requested concurrently: enough
  /// that storing does not wait for a slow page, and little beside the memory of the rest.
  private static var waitingRecords: Int { 1_000 }

  private var readings: [Reading] = []

  var count: Int { readings.count }

  /// The page that was begun last.
  var last: Key? { readings.last?.key }

  /// Returns whether another page may be requested: pages that have arrived do not count, as long
  /// as they are small and not many more.
  ///
  /// - Parameter limit: the number of pages that may be requested concurrently.
  func mayGrow(_ limit: Int) -> Bool {
    let arrived = readings.compactMap(\.records)
    return readings.count - arrived.count < limit
      && (readings.count < limit
        || readings.count < 2 * limit && arrived.reduce(0, +) < Self.waitingRecords)
  }

  /// Returns whether a page has arrived, and is the next one.
  func hasArrived(_ key: Key) -> Bool {
    readings.first.map { $0.key == key && $0.records != nil } ?? false
  }

  /// Cancels all pages where the first is not the one that is asked for next: none is of use any
  /// more.
  mutating func expect(_ key: Key) {
    if let first = readings.first, first.key != key { abandon() }
  }

  /// Begins to fetch a page.
  mutating func append(_ key: Key, _ read: @escaping @Sendable () async throws -> Page) {
    let arrival = Arrival()
    // Below the run itself, which else would wait for a page to be read before it stores the next
    // one.
    let task = Task(priority: .utility) {
      let page = try await read()
      arrival.records.withLock { $0 = page.records.entries.count }
      return page
    }
    readings.append(Reading(key: key, arrival: arrival, task: task))
  }

  /// Removes and returns the first page, which has to be there.
  mutating func removeFirst() -> Task<Page, any Error> { readings.removeFirst().task }

  /// Cancels all pages.
  mutating func abandon() {
    for reading in readings { reading.task.cancel() }
    readings = []
  }
}
