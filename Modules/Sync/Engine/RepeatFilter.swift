import Storage

/// Drops records that the page before has brought already.
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

  /// Whether what any page before has brought is dropped: a trial stores nothing that would tell a list
  /// that is read twice.
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
    // A page that brought anything new replaces what is remembered; one of nothing but repeats
    // belongs to the same instants and is remembered beside it.
    if remembersAll || records.entries.isEmpty {
      recent.formUnion(seen)
    } else {
      recent = Set(seen)
    }
  }
}
