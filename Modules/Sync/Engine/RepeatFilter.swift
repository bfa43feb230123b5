import Models

/// Drops rows that the page before has brought already.
///
/// Pages overlap on purpose: going on from the last instant seen, inclusively, is what keeps a row
/// from being skipped when others change in between.
struct RepeatFilter {
  private struct Version: Hashable {
    let id: String
    let updatedAt: Timestamp
  }

  private var recent: Set<Version> = []

  mutating func removingRepeats(from invoices: [Invoice]) -> [Invoice] {
    let versions = invoices.map { Version(id: $0.id, updatedAt: $0.updatedAt) }
    let new = zip(invoices, versions).filter { !recent.contains($0.1) }.map(\.0)
    // A page that brought anything new replaces what is remembered; one of nothing but repeats
    // belongs to the same instants and is remembered beside it.
    recent = new.isEmpty ? recent.union(versions) : Set(versions)
    return new
  }
}
