/// Readings that were begun before they are asked for, in the order in which they will be.
struct ReadingAhead<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private var readings: [(key: Key, task: Task<Value, any Error>)] = []

  var count: Int { readings.count }

  /// What was begun last.
  var last: Key? { readings.last?.key }

  /// Ends all of them where the first is not what is asked for next: none is of any use any more.
  mutating func expect(_ key: Key) {
    if let first = readings.first, first.key != key { abandon() }
  }

  mutating func append(_ key: Key, _ task: Task<Value, any Error>) {
    readings.append((key, task))
  }

  /// Hands out the first, which has to be there.
  mutating func removeFirst() -> Task<Value, any Error> { readings.removeFirst().task }

  /// Ends them.
  mutating func abandon() {
    for reading in readings { reading.task.cancel() }
    readings = []
  }
}
