/// The keys of the objects that are open, so that one that comes twice is noticed.
///
/// Most objects have few keys: comparing a new one with them costs less than a table would.
struct KeyBook {
  /// Where the keys of an object begin that is gone on with later.
  struct Object {
    fileprivate var start = 0
    fileprivate var many: Set<String> = []
  }

  private struct Entry {
    let hash: UInt64
    let key: JSONKey
  }

  /// Beyond so many keys an object gets a table, so that no input makes the comparing slow.
  private static let few = 48

  private var entries: [Entry] = []
  private var object = Object()

  /// Begins an object; answers the one around it.
  mutating func enter() -> Object {
    defer { object = Object(start: entries.count) }
    return object
  }

  /// Goes on with the object around.
  mutating func leave(to outer: Object) {
    entries.removeLast(entries.count - object.start)
    object = outer
  }

  /// What is open, to come back to when an object was left in its middle.
  struct Mark {
    fileprivate let count: Int
    fileprivate let object: Object
  }

  var mark: Mark { Mark(count: entries.count, object: object) }

  mutating func rewind(to mark: Mark) {
    entries.removeLast(entries.count - mark.count)
    object = mark.object
  }

  /// Notes a key; `false` where the object has it already.
  mutating func insert(_ key: JSONKey, hash: UInt64) -> Bool {
    guard object.many.isEmpty else { return object.many.insert(key.description).inserted }
    for entry in entries[object.start...] where entry.hash == hash {
      if entry.key.description == key.description { return false }
    }
    entries.append(Entry(hash: hash, key: key))
    if entries.count - object.start > Self.few {
      object.many = Set(entries[object.start...].map(\.key.description))
    }
    return true
  }
}
