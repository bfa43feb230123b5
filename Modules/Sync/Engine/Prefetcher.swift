import Storage
import Synchronization

/// Pages that were begun to be read before they are asked for, in the order in which they will be.
struct Prefetcher<Key: Equatable & Sendable, Cursor: Sendable>: Sendable {
  typealias Page = ReadPage<Cursor>

  /// What is known of a page before anybody asks for it.
  private final class Arrival: Sendable {
    /// How many records it brought; nothing while it is on its way, or where it failed.
    let records = Mutex<Int?>(nil)
  }

  private struct Reading: Sendable {
    let key: Key
    let arrival: Arrival
    let task: Task<Page, any Error>

    var records: Int? { arrival.records.withLock { $0 } }
  }

  /// How many records may wait beyond the pages that are asked for at once: enough that storing does not
  /// wait for a slow page, and little beside the memory of the rest.
  private static var waitingRecords: Int { 1_000 }

  private var readings: [Reading] = []

  var count: Int { readings.count }

  /// What was begun last.
  var last: Key? { readings.last?.key }

  /// Whether another page may be asked for, where so many may be at once: pages that have arrived do not
  /// count, as long as they are small and not many more.
  func mayGrow(_ atOnce: Int) -> Bool {
    let arrived = readings.compactMap(\.records)
    return readings.count - arrived.count < atOnce
      && (readings.count < atOnce
        || readings.count < 2 * atOnce && arrived.reduce(0, +) < Self.waitingRecords)
  }

  /// Whether a page has arrived, and is the next one.
  func hasArrived(_ key: Key) -> Bool {
    readings.first.map { $0.key == key && $0.records != nil } ?? false
  }

  /// Ends all of them where the first is not what is asked for next: none is of any use any more.
  mutating func expect(_ key: Key) {
    if let first = readings.first, first.key != key { abandon() }
  }

  /// Begins to read a page.
  mutating func append(_ key: Key, _ read: @escaping @Sendable () async throws -> Page) {
    let arrival = Arrival()
    // Behind the run itself, which else would wait for a page to be read before it stores the next one.
    let task = Task(priority: .utility) {
      let page = try await read()
      arrival.records.withLock { $0 = page.records.entries.count }
      return page
    }
    readings.append(Reading(key: key, arrival: arrival, task: task))
  }

  /// Hands out the first, which has to be there.
  mutating func removeFirst() -> Task<Page, any Error> { readings.removeFirst().task }

  /// Ends them.
  mutating func abandon() {
    for reading in readings { reading.task.cancel() }
    readings = []
  }
}
