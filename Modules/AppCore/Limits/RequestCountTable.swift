import Networking

/// How many requests were sent in each five minutes, as a text of a line for each.
struct RequestCountTable: Equatable {
  private static let header = "appcore requests 1"
  /// The least of the limits that it serves is an hour, of which this is little.
  private static let width: Int64 = 300
  /// Counts by the second in which their five minutes began.
  private var counts: [Int64: Int] = [:]

  init() {}

  /// Reads a text; `nil` where it is none of these, or damaged.
  init?(text: String) {
    var lines = text.split(separator: "\n")
    // The last word tells a text that was cut off from a whole one.
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

  /// Adds what was counted elsewhere.
  mutating func add(_ other: RequestCountTable) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Counts one request, and forgets what no limit asks for any more.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - limits: those that are kept; whatever they are, a day is remembered.
  mutating func add(at now: Int64, within limits: [RateLimit]) {
    add(at: now)
    let longest = max(86_400, limits.map(\.interval.components.seconds).max() ?? 0)
    counts = counts.filter { $0.key <= now && $0.key + Self.width > now - longest }
  }

  /// How long it is until a further request keeps every limit; `nil` where it does so now.
  ///
  /// A request counts until the last of its five minutes has left the interval, so that none is
  /// sent too early. What is dated ahead was written before the clock was set back, and counts for
  /// nothing.
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
