/// How records differ from those that were expected, or that were there before.
struct BookComparison<Record: Equatable> {
  /// Identifiers of those that are there now alone.
  let added: [String]
  /// Identifiers of those that are not there any more.
  let gone: [String]
  /// Identifiers of those that are not equal.
  let edited: [String]

  private let old: [String: Record]
  private let new: [String: Record]

  init(from old: [String: Record], to new: [String: Record]) {
    self.old = old
    self.new = new
    added = new.keys.filter { old[$0] == nil }.sorted()
    gone = old.keys.filter { new[$0] == nil }.sorted()
    edited = old.keys.filter { id in new[id].map { $0 != old[id] } ?? false }.sorted()
  }

  /// What is wrong with the new ones, where they should be the old ones.
  func sentences(isPart: Bool) -> [String] {
    var sentences: [String] = []
    if !gone.isEmpty, !isPart { sentences.append("\(gone.count) missing, such as \(gone[0])") }
    if !added.isEmpty { sentences.append("\(added.count) too many, such as \(added[0])") }
    if let id = edited.first, let old = old[id], let new = new[id] {
      sentences.append(
        "\(edited.count) different, such as \(id) in "
          + Self.properties(in: old, notIn: new).joined(separator: ", "))
    }
    return sentences
  }

  /// The properties that differ, with both values.
  private static func properties(in old: Record, notIn new: Record) -> [String] {
    zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children).compactMap { old, new in
      let (wanted, found) = ("\(old.value)", "\(new.value)")
      return wanted == found ? nil : "\(old.label ?? "") (\(found) in place of \(wanted))"
    }
  }
}
