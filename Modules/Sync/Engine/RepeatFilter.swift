import Storage

/// Drops records that the page before has brought already.
///
/// Pages overlap on purpose: going on from the last instant seen, inclusively, is what keeps a row
/// from being skipped when others change in between.
struct RepeatFilter<Record: SyncedRecord> {
  private struct Version: Hashable {
    let id: String
    let order: Int64
  }

  private var recent: Set<Version> = []

  mutating func removingRepeats(from records: [Record]) -> [Record] {
    // Without an order nothing says that it is the same version.
    let versions = records.map { record in record.order.map { Version(id: record.id, order: $0) } }
    let new = zip(records, versions).filter { $0.1.map { !recent.contains($0) } ?? true }.map(\.0)
    let seen = versions.compactMap(\.self)
    // A page that brought anything new replaces what is remembered; one of nothing but repeats
    // belongs to the same instants and is remembered beside it.
    recent = new.isEmpty ? recent.union(seen) : Set(seen)
    return new
  }
}
