import Storage

/// Drops records that the page before holds already.
///
/// Pages overlap on purpose: going on from the last instant seen, inclusively, is what keeps a row
/// from being skipped when others change in between.
struct RepeatFilter {
  private struct Version: Hashable {
    let id: String
    let order: Int64
    /// Two changes within one second have the same order at some providers.
    let fingerprint: Int64

    init?(_ entry: EncodedRecords.Entry) {
      guard let order = entry.order else { return nil }
      (id, self.order, fingerprint) = (entry.id, order, entry.fingerprint)
    }
  }

  /// Whether records of any page before are dropped: a dry run stores nothing, and would count a
  /// list that is read twice.
  private let remembersAll: Bool
  private var recent: Set<Version> = []

  init(remembersAll: Bool = false) {
    self.remembersAll = remembersAll
  }

  mutating func removeRepeats(from records: inout EncodedRecords) {
    // Without an order nothing says that it is the same version.
    let seen = records.entries.compactMap(Version.init)
    if !recent.isEmpty {
      let recent = recent
      records.keep { entry in Version(entry).map { !recent.contains($0) } ?? true }
    }
    // A page with anything new replaces what is remembered; a page of repeats belongs to the same
    // instants and is remembered as well.
    if remembersAll || records.entries.isEmpty {
      recent.formUnion(seen)
    } else {
      recent = Set(seen)
    }
  }
}
