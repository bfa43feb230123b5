import Networking

/// A table of the number of requests in each period of five minutes, stored as text with one line
/// per period.
struct RequestCountTable: Equatable {
  private static let header = "appcore requests 1"
  /// Length of a period in seconds: short compared with an hour, the shortest interval of these
  /// limits.
  private static let width: Int64 = 300
  /// Counts by the start of their period, in seconds since 1970.
  private var counts: [Int64: Int] = [:]

  init() {}

  /// Reads a table from its text; returns `nil` if the text is no such table, or damaged.
  init?(text: String) {
    var lines = text.split(separator: "\n")
    // The last line distinguishes a complete text from one that was cut off.
    guard lines.count >= 2, lines.removeFirst() == Self.header, lines.removeLast() == "end" else {
      return nil
    }
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let begin = Int64(words[0]), begin >= 0, begin % Self.width == 0,
        let count = Int(words[1]), (1...1_000_000_000).contains(count),
        counts.updateValue(count, forKey: begin) == nil
      else { return nil }
    }
  }

  var text: String {
    let lines = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return Self.header + "\n" + lines.joined() + "end\n"
  }

  /// Counts one request.
  ///
  /// - Parameter now: seconds since 1970.
  mutating func add(at now: Int64) { counts[now - now % Self.width, default: 0] += 1 }

  /// Adds the counts of another table.
  mutating func add(_ other: RequestCountTable) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Counts one request, and removes counts that no limit needs any more.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - limits: the limits to keep; counts of the last day stay whatever they are.
  mutating func add(at now: Int64, within limits: [RateLimit]) {
    add(at: now)
    let longest = max(86_400, limits.map(\.interval.components.seconds).max() ?? 0)
    counts = counts.filter { $0.key <= now && $0.key + Self.width > now - longest }
  }

  /// Returns the wait until another request keeps every limit; `nil` if it does so now.
  ///
  /// A request counts until its whole period has left the interval, so that none is sent too early.
  /// Counts with a future date were written before the clock was set back, and are ignored.
  func wait(within limits: [RateLimit], at now: Int64) -> Duration? {
    limits.compactMap { limit -> Int64? in
      let interval = limit.interval.components.seconds
      let counting = counts.filter { $0.key <= now && $0.key + Self.width > now - interval }
      var left = counting.values.reduce(0, +)
      let allowed = max(1, limit.requests)
      guard left >= allowed else { return nil }
      for (begin, count) in counting.sorted(by: { $0.key < $1.key }) {
        left -= count
        if left < allowed { return begin + Self.width + interval - now }
      }
      return nil
    }.max().map { .seconds($0) }
  }
}
