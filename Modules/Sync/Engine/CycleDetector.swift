/// Detects that cursors lead back to one that was read before, however many lie between.
///
/// Brent's method: it remembers a single cursor, and another one after twice as many pages each
/// time. A cycle is noticed before three times as many pages were read as there are up to its end.
struct CycleDetector<Cursor: Equatable> {
  private var remembered: Cursor
  private var steps = 0
  private var limit = 1

  init(start: Cursor) {
    remembered = start
  }

  /// Notes the cursor that follows; `false` where it has been read before.
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
