import Models

/// Drops records that the page before has brought already.
///
/// Pages overlap on purpose: going on from the last instant seen, inclusively, is what keeps a row
/// from being skipped when others change in between.
struct RepeatFilter<Record: Hashable & Sendable> {
  private var recent: Set<Record> = []

  mutating func removingRepeats(from records: [Record]) -> [Record] {
    let new = records.filter { !recent.contains($0) }
    // A page that brought anything new replaces what is remembered; one of nothing but repeats
    // belongs to the same instants and is remembered beside it.
    recent = new.isEmpty ? recent.union(records) : Set(records)
    return new
  }
}
