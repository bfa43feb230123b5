/// The keys of the open objects, by their hashes, to detect duplicate keys.
///
/// Two keys with the same 64-bit hash count as one. That does not happen by accident, and a server
/// that causes it on purpose only has its own page refused.
struct DuplicateKeyDetector {
  /// The state of an outer object while an inner one is read.
  struct Object {
    fileprivate var start = 0
    /// A bit for each key, chosen by six bits of its hash.
    ///
    /// A clear bit proves that a key is new.
    fileprivate var seen: UInt64 = 0
    fileprivate var many: Set<UInt64>?
  }

  /// The number of keys beyond which an object uses a table; comparing with fewer keys is faster.
  private static let few = 48

  private var hashes: [UInt64] = []
  private var object = Object()

  /// Begins an object; returns the outer one.
  mutating func enter() -> Object {
    defer { object = Object(start: hashes.count) }
    return object
  }

  /// Returns to the outer object.
  mutating func leave(to outer: Object) {
    hashes.removeLast(hashes.count - object.start)
    object = outer
  }

  /// A position to which the detector can return if an object is left in its middle.
  struct Mark {
    fileprivate let count: Int
    fileprivate let object: Object
  }

  var mark: Mark { Mark(count: hashes.count, object: object) }

  mutating func rewind(to mark: Mark) {
    hashes.removeLast(hashes.count - mark.count)
    object = mark.object
  }

  /// Adds a key; returns `false` if the object already has it.
  mutating func insert(_ hash: UInt64) -> Bool {
    if object.many != nil { return object.many?.insert(hash).inserted == true }
    let bit: UInt64 = 1 << (hash & 63)
    if object.seen & bit != 0 {
      for index in object.start..<hashes.count where hashes[index] == hash { return false }
    }
    object.seen |= bit
    hashes.append(hash)
    if hashes.count - object.start > Self.few { object.many = Set(hashes[object.start...]) }
    return true
  }
}
