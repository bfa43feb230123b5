import Storage

/// Drops records that the previous page already held.
///
/// Pages overlap on purpose: a run resumes at the last instant that it has seen, inclusively, so
/// that it skips no row when others change in between.
struct RepeatFilter {
  private struct Version: Hashable {
    let id: String
    let order: Int64
    /// At some providers, two changes within one second have the same order.
    let fingerprint: Int64

    init?(_ entry: EncodedRecords.Entry) {
      guard let order = entry.order else { return nil }
      (id, self.order, fingerprint) = (entry.id, order, entry.fingerprint)
    }
  }

  /// True if records of all earlier pages are dropped, not only those of the previous page.
  ///
  /// A dry run stores nothing, and would count the records of a list that is read twice.
  private let remembersAll: Bool
  private var recent: Set<Version> = []

  init(remembersAll: Bool = false) {
    self.remembersAll = remembersAll
  }

  mutating func removeRepeats(from records: inout EncodedRecords) {
    // Without an order, nothing shows that two records are the same version.
    let seen = records.entries.compactMap(Version.init)
    if !recent.isEmpty {
      let recent = recent
      records.keep { entry in Version(entry).map { !recent.contains($0) } ?? true }
    }
    // A page with any new record replaces what is remembered. A page of repeats belongs to the same
    // instants, and is remembered as well.
    if remembersAll || records.entries.isEmpty {
      recent.formUnion(seen)
    } else {
      recent = Set(seen)
    }
  }
}
