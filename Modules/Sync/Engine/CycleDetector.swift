/// Detects cursors that lead back to an earlier one, however many cursors lie between.
///
/// Brent's algorithm: it remembers one cursor, and replaces it after twice as many pages each time.
/// It detects a cycle before the run has read three times as many pages as there are up to the
/// cycle's end.
struct CycleDetector<Cursor: Equatable> {
  private var remembered: Cursor
  private var steps = 0
  private var limit = 1

  init(start: Cursor) {
    remembered = start
  }

  /// Records the next cursor; returns `false` if it was read before.
  mutating func goesOn(to next: Cursor) -> Bool {
    guard next != remembered else { return false }
    steps += 1
    if steps == limit {
      remembered = next
      limit *= 2
      steps = 0
    }
    return true
  }
}
