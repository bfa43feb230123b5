/// The differences between records and the expected or earlier ones.
struct BookComparison<Record: Equatable> {
  /// Identifiers of the records that are only among the new ones.
  let added: [String]
  /// Identifiers of the records that are only among the old ones.
  let removed: [String]
  /// Identifiers of the records that are in both, but not equal.
  let edited: [String]

  private let old: [String: Record]
  private let new: [String: Record]

  init(from old: [String: Record], to new: [String: Record]) {
    self.old = old
    self.new = new
    added = new.keys.filter { old[$0] == nil }.sorted()
    removed = old.keys.filter { new[$0] == nil }.sorted()
    edited = old.keys.filter { id in new[id].map { $0 != old[id] } ?? false }.sorted()
  }

  /// Returns the differences as sentences, for new records that should equal the old ones.
  func sentences(isPart: Bool) -> [String] {
    var sentences: [String] = []
    if !removed.isEmpty, !isPart {
      sentences.append("\(removed.count) missing, such as \(removed[0])")
    }
    if !added.isEmpty { sentences.append("\(added.count) too many, such as \(added[0])") }
    if let id = edited.first, let old = old[id], let new = new[id] {
      sentences.append(
        "\(edited.count) different, such as \(id) in "
          + Self.properties(in: old, notIn: new).joined(separator: ", "))
    }
    return sentences
  }

  /// Returns the properties that differ, with both values.
  private static func properties(in old: Record, notIn new: Record) -> [String] {
    zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children).compactMap { old, new in
      let (wanted, found) = ("\(old.value)", "\(new.value)")
      return wanted == found ? nil : "\(old.label ?? "") (\(found) in place of \(wanted))"
    }
  }
}
