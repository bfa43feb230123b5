/// The keys of the objects that are open, by their hashes, so that one that comes twice is noticed.
///
/// Two keys with the same 64 bits are taken for one: by accident that does not happen, and a server
/// that makes them on purpose has only its own page refused.
struct DuplicateKeyDetector {
  /// The state of an outer object while an inner one is read.
  struct Object {
    fileprivate var start = 0
    fileprivate var many: Set<UInt64> = []
  }

  /// Beyond so many keys an object gets a table; comparing a new one with fewer costs less.
  private static let few = 48

  private var hashes: [UInt64] = []
  private var object = Object()

  /// Begins an object; returns the one around it.
  mutating func enter() -> Object {
    defer { object = Object(start: hashes.count) }
    return object
  }

  /// Goes on with the object around.
  mutating func leave(to outer: Object) {
    hashes.removeLast(hashes.count - object.start)
    object = outer
  }

  /// A position to return to if an object is left in its middle.
  struct Mark {
    fileprivate let count: Int
    fileprivate let object: Object
  }

  var mark: Mark { Mark(count: hashes.count, object: object) }

  mutating func rewind(to mark: Mark) {
    hashes.removeLast(hashes.count - mark.count)
    object = mark.object
  }

  /// Notes a key; `false` if the object has it already.
  mutating func insert(_ hash: UInt64) -> Bool {
    guard object.many.isEmpty else { return object.many.insert(hash).inserted }
    for index in object.start..<hashes.count where hashes[index] == hash { return false }
    hashes.append(hash)
    if hashes.count - object.start > Self.few { object.many = Set(hashes[object.start...]) }
    return true
  }
}
