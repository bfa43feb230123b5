/// The position of a run in its list, and its pace, for a display.
struct ListPosition {
  /// The period over which the pace is measured.
  private static let window = Duration.seconds(15)
  /// The largest number of records that a server is believed to have: sums of it always fit.
  private static let most = 1 << 40

  private var samples: [(at: Duration, records: Int)]
  /// The number of records that the run had read when the pass began.
  private var before = 0
  /// The number of records that earlier runs have read of the same pass.
  private var earlier = 0
  private var total: Int?

  /// - Parameter start: the uptime at which the run began.
  init(startedAt start: Duration = .zero) {
    samples = [(start, 0)]
  }

  /// Begins a pass through the list.
  mutating func begin(after records: Int, earlier: Int) {
    before = records
    self.earlier = earlier
    total = nil
  }

  /// Takes the number of records in the list, if a page states it.
  ///
  /// The last pages of a pass may list changes alone, and state their number; the largest number is
  /// that of the list.
  ///
  /// - Parameter isOfRest: true if the number leaves out what earlier runs have read.
  mutating func lists(_ count: Int?, isOfRest: Bool = false) {
    let count = count.map { (isOfRest ? earlier : 0) + min(max($0, 0), Self.most) }
    total = [total, count].compactMap(\.self).max()
  }

  /// Takes the number of records that are still to be fetched.
  mutating func expects(_ count: Int, after records: Int) {
    total = records - before + earlier + count
  }

  /// Returns the position after a number of pages and records.
  mutating func stored(pages: Int, records: Int, at now: Duration) -> SyncProgress.Position {
    samples.append((now, records))
    while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
    let pace = pace
    let position = records - before + earlier
    let total = total.map { max($0, position) }
    let remaining = total.flatMap { total in
      pace.map { Duration.seconds((Double(total - position) / $0).rounded()) }
    }
    return SyncProgress.Position(
      pages: pages, records: records, position: position, total: total,
      recordsPerSecond: pace, timeRemaining: remaining)
  }

  /// The number of records per second; `nil` if it is too early to say.
  private var pace: Double? {
    guard let first = samples.first, let last = samples.last, last.records > first.records,
      last.at - first.at >= .milliseconds(500)
    else { return nil }
    return Double(last.records - first.records) / ((last.at - first.at) / .seconds(1))
  }
}
